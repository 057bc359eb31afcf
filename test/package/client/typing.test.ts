import { type AnyParams, type Client, createClient, type OutputType, type PlatenError, type RenderParams } from 'platen/client';
import { describe, expect, expectTypeOf, it } from 'vitest';

const url = 'https://a.test/';
const client: Pick<Client, 'render' | 'job' | 'url' | 'batch'> = createClient({
  baseUrl: 'https://render.test',
  fetch: () => Promise.resolve(new Response('x')),
});

// The compiler checks them: an unused expectation is an error of `npm run types`.
describe('types', () => {
  it('let an output type have its parameters', async () => {
    await client.render({ url, output_type: 'pdf', pdf_margin: '1cm', pdf_header: '<b>' });
    await client.render({ url, output_type: 'jpg', image_quality: 50, full_page: true, with_har: true, har_capture_bodies: false });
    await client.render({ url, image_width: 100, image_clip: '0,0,9,9' });
    await client.render({ url, extract: { title: 'h1' }, extract_links: true });
    await client.render({ url, navigate: 'buy', navigator_max_steps: 3, llm_format_model: 'x' });
    await client.render({ url, output_type: 'jsonl', crawl_links: true, crawl_content: ['markdown'], markdown_format: 'gfm' });
    await client.render({ url, output_type: 'mp4', video_duration: 2, with_navigator_video: null });
    await client.render({ html: '<p>', upload: { 'a.css': 'data:,' }, steps: [{ click: 'a' }, { wait: 1 }] });
    await client.render({
      url,
      output_type: 'png',
      image_width: 9,
      with_output: ['pdf', 'markdown'],
      pdf_scale: 1,
      markdown_format: 'gfm',
    });
    expect(client.url({ url, output_type: 'webp', image_lossless: true })).toContain('image_lossless=true');
  });

  it('refuse parameters of another output type, other values and unknown parameters', async () => {
    // @ts-expect-error -- of a PDF
    await client.render({ url, output_type: 'png', pdf_margin: '1cm' });
    // @ts-expect-error -- of a PDF, not of the default output
    await client.render({ url, pdf_margin: '1cm' });
    // @ts-expect-error -- of an image
    await client.job({ url, output_type: 'pdf', full_page: true });
    // @ts-expect-error -- no quality is lost
    await client.render({ url, output_type: 'png', image_quality: 50 });
    // @ts-expect-error -- of a PDF, which is not among the outputs
    await client.render({ url, output_type: 'png', with_output: ['markdown'], pdf_scale: 1 });
    // @ts-expect-error -- of Markdown
    expect(client.url({ url, output_type: 'txt', markdown_format: 'gfm' })).toContain('txt');
    // @ts-expect-error -- a misspelled type
    await client.render({ url, output_type: 'jpeg' });
    // @ts-expect-error -- a misspelled key
    await client.render({ url, fullpage: true });
    // @ts-expect-error -- a text in place of a number
    await client.render({ url, timeout: '5' });
    // @ts-expect-error -- an unknown value
    await client.render({ url, output_type: 'markdown', markdown_format: 'github' });
    // @ts-expect-error -- of a PDF, in a batch
    const requests: AnyParams[] = [{ url, output_type: 'png', pdf_scale: 1 }];
    requests.push({ url, output_type: 'png', with_output: ['pdf'], pdf_scale: 1 }, { url }, { url, extract_links: true });
    requests.push({ url, output_type: 'jpg', image_quality: 5 }, { html: '<p>', output_type: 'pdf', pdf_scale: 1 });
    for await (const { error } of client.batch(requests)) expect(error).toBeUndefined();
  });

  it('are those of the values', () => {
    expectTypeOf<'png'>().toExtend<OutputType>();
    expectTypeOf<RenderParams<'pdf'>['pdf_scale']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<RenderParams<'pdf'>['output_type']>().toEqualTypeOf<'pdf' | undefined>();
    expectTypeOf<RenderParams<'png'>>().not.toHaveProperty('pdf_scale');
    expectTypeOf<PlatenError['code']>().extract<'invalid_parameters'>().toEqualTypeOf<'invalid_parameters'>();
  });
});
