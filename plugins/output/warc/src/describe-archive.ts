import { KERNEL_VERSION, type RenderPlan } from '@platen/kernel';
import type { ExchangeRecord } from '@platen/plugin-network';
import type { WalkSummary } from '@platen/plugin-walk';

/** Parameters that explain an archive's content and contain no credentials. URLs, headers, cookies and scripts may contain some. */
const PUBLIC_PARAMETERS =
  /^(?:archive_body_size_limit|archive_spill_max_bytes|crawl_(?:concurrency|delay|link_depth|links|max_links|media_sources|page_timeout|sitemap_max_depth|url_is_sitemap)|device|javascript|output_type|skip_robots_txt|timeout|warc_captures_navigation)$/;

/** The fields of the first record (WARC 1.1, 6.2). */
export function describeArchive(
  { params }: Pick<RenderPlan, 'params'>,
  browser: ExchangeRecord['browser'],
): Readonly<Record<string, string>> {
  const shown = Object.entries(params).filter(([name]) => PUBLIC_PARAMETERS.test(name));
  return {
    software: `Platen/${KERNEL_VERSION} (${browser.name}/${browser.version})`,
    format: 'WARC File Format 1.1',
    conformsTo: 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    parameters: JSON.stringify(Object.fromEntries(shown)),
  };
}

/** The fields of a last record: only a walk that ended early has one. */
export function describeEnd({ done, failed, stopReason }: WalkSummary): Readonly<Record<string, string>> | undefined {
  if (stopReason === undefined) return undefined;
  return {
    stop_reason: stopReason,
    description: `${String(done)} pages archived, ${String(failed)} failed; the walk ended before its queue was empty`,
  };
}

/** The name of the file in its records and its index: its server's. */
export function nameArchive(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return `${host.replace(/[^\w.-]+/g, '-') || 'page'}.warc.gz`;
}
