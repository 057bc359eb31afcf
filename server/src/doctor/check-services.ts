import { isPlatenError, type Kernel } from '@platen/kernel';
import { withCause } from '../boot/explain-error.js';
import type { FlagValues } from '../service/hooks.js';
import type { Finding } from '../service/hooks.js';
import { servePlugins } from '../service/serve-plugins.js';

/** The plugins' own checks of services that flags name. Never rejects. */
export async function checkServices(kernel: Kernel, flags: FlagValues): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    const hooks = servePlugins({ kernel, flags, listen: ({ address }) => Promise.resolve(address) });
    await kernel.prepare();
    await hooks.examine.promise((finding) => void findings.push(finding));
    return findings;
  } catch (error) {
    const facts = { code: isPlatenError(error) ? error.code : null };
    return [...findings, { id: 'server', state: 'remark', text: isPlatenError(error) ? withCause(error) : String(error), facts }];
  }
}
