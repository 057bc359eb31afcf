import { definePlugin, readParam } from '@platen/kernel';
import { extractionRequest, extractLinksParam, extractMetadataParam, extractParam, extractScriptParam } from '@platen/plugin-extract/keys';
import { walkKey } from '@platen/plugin-walk/keys';
import { JSONL_PARAMS, membersOf, typeOf } from './params.js';
import { readMembers } from './read-members.js';

const TYPE = 'jsonl';

/** The content of the pages of a walk, one line of JSON for each. */
export default definePlugin({
  name: 'jsonl',
  requires: ['walk'],
  outputs: [{ type: TYPE, from: 'walk', contentType: 'application/x-ndjson', extension: 'jsonl', endings: ['ndjson'] }],
  params: JSONL_PARAMS,
  planFor: { output: TYPE, param: 'crawl_content' },
  plan({ params, output, assets, include, nameAssets, refuse }) {
    if (output.type !== TYPE) refuse('crawl_content', `"crawl_content" needs "output_type=${TYPE}"`);
    const members = membersOf(params);
    const hasRules = readParam(params, extractParam) !== undefined;
    if (members.includes('extract') && !hasRules) refuse('crawl_content', '"crawl_content" with "extract" needs the parameter "extract"');
    if (hasRules && !members.includes('extract'))
      refuse('extract', `"extract" needs "crawl_content" with "extract" for "output_type=${TYPE}"`);
    const ofJson = [
      ['extract_metadata', readParam(params, extractMetadataParam), '"crawl_content" with "metadata"'],
      ['extract_links', readParam(params, extractLinksParam), '"crawl_content" with "links"'],
      ['extract_script', readParam(params, extractScriptParam), '"output_type=json"'],
    ] as const;
    for (const [key, value = false, instead] of ofJson)
      if (value !== false) refuse(key, `"${key}" cannot be combined with "output_type=${TYPE}": use ${instead}`);
    const archive = assets.find(({ from }) => from === 'walk');
    if (archive)
      refuse(
        archive.key,
        `"${archive.key}" cannot be combined with "output_type=${TYPE}", which records no bodies: use "output_type=warc"`,
      );
    if (members.includes('screenshot')) nameAssets();
    for (const type of new Set(members.map(typeOf))) {
      if (!include(type)) refuse('crawl_content', `"crawl_content" needs the output type ${type}, which is not enabled`);
    }
  },
  apply({ hooks }) {
    const own = { name: 'jsonl', for: { output: TYPE } } as const;
    hooks.beforeOpen.tap(own, (context) => {
      context.get(walkKey)?.readPages((page) => readMembers(page, membersOf(context.params)));
    });
    hooks.beforeNavigate.tap(own, (context) => {
      const has = (member: string) => membersOf(context.params).some((one) => one === member);
      context.set(extractionRequest, { extract: has('extract'), metadata: has('metadata'), links: has('links'), script: false });
    });
    hooks.encode.for(TYPE).tapPromise('jsonl', async (walk, { params, clock }) => {
      const { openLines } = await import('./open-lines.js');
      return { body: await openLines(walk, { members: membersOf(params), clock }) };
    });
  },
});
