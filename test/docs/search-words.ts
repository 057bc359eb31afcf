/** What people search for, and a parameter that each word must find. */
export const SEARCHES: readonly (readonly [words: string, key: string])[] = [
  ['margin', 'pdf_margin'],
  ['A4', 'pdf_format'],
  ['login', 'steps'],
  ['ads', 'block_ads'],
  ['retina', 'device_scale_factor'],
  ['password', 'pdf_password'],
  ['proxy', 'proxy'],
  ['thumbnail', 'image_width'],
  ['archive', 'crawl_links'],
  ['cookie banner', 'remove_modals'],
  ['page numbers', 'pdf_footer'],
  ['JSON', 'extract'],
  ['cookies', 'cookie'],
  ['crawl a site', 'crawl_links'],
  ['block images', 'block_resource_type'],
  ['HTML to PDF', 'html'],
];
