import type { ProtocolSession } from '@platen/kernel';
import { withTimeout } from './with-timeout.js';

/** A script that has arrived is compiled next. */
const COMPILE_MS = 1000;

/**
 * The source of the target's script with that URL, from the engine that runs it. The network buffers do not have a service worker's own
 * script if the worker was faster than the commands that fill them. Text, without a byte order mark.
 */
export async function readScript(session: ProtocolSession, url: string): Promise<string | undefined> {
  let stop: () => void = () => undefined;
  const compiled = new Promise<string>((resolve) => {
    const found = (script: { readonly url: string; readonly scriptId: string }): void => {
      if (script.url === url) resolve(script.scriptId);
    };
    const listening = [session.on('Debugger.scriptParsed', found), session.on('Debugger.scriptFailedToParse', found)];
    stop = () => {
      for (const one of listening) one();
    };
  });
  try {
    // The script's own `debugger` statements are not for this session.
    await Promise.all([session.send('Debugger.setSkipAllPauses', { skip: true }), session.send('Debugger.enable')]);
    const scriptId = await withTimeout(COMPILE_MS, compiled);
    return scriptId === undefined ? undefined : (await session.send('Debugger.getScriptSource', { scriptId })).scriptSource;
  } catch {
    return undefined;
  } finally {
    stop();
    session.send('Debugger.disable').catch(() => undefined);
  }
}
