// Written by `npm run client:types` from the declarations of the plugins.
/* eslint-disable max-lines -- generated */

export type OutputType =
  | 'apng'
  | 'avif'
  | 'axtree'
  | 'axtree_json'
  | 'bmp'
  | 'download'
  | 'gif'
  | 'goal'
  | 'har'
  | 'html'
  | 'jpegxl'
  | 'jpg'
  | 'json'
  | 'jsonl'
  | 'llm_json'
  | 'llm_text'
  | 'markdown'
  | 'mhtml'
  | 'mkv'
  | 'mp4'
  | 'pdf'
  | 'png'
  | 'pprof_cpu'
  | 'pprof_memory'
  | 'tiff'
  | 'trace'
  | 'txt'
  | 'wacz'
  | 'warc'
  | 'webm'
  | 'webp';

/** Parameters of every output type. */
interface CommonParams {
  /** URL of the page to render: http, https or data. */
  readonly url?: string | undefined;
  /** Return an error if the target responds with a status outside 200 to 299. */
  readonly fail?: boolean | null | undefined;
  /** Maximum duration of the whole render in seconds; 0 means no timeout. The duration of a video is added. */
  readonly timeout?: number | null | undefined;
  /** Disable the timeout. */
  readonly no_timeout?: boolean | null | undefined;
  /** If the render fails once its page is open, link from the error what the page showed: a screenshot of that moment, its console with uncaught errors, and its failed and unfinished requests. */
  readonly with_evidence?: boolean | null | undefined;
  /** Return what the render was made of as an additional asset: a JSON object with the parameters without secrets, versions, fonts, connections, and SHA-256 digests of the output and of the assets. The response begins when the output is complete. */
  readonly with_manifest?: boolean | null | undefined;
  /** Return the DevTools protocol's Network, Page and Security events of the render as an additional asset, one line of JSON per event. */
  readonly with_network_log?: boolean | null | undefined;
  /** Initial browser storage. An object: a Playwright storage state (cookies, localStorage, sessionStorage, IndexedDB, Cache Storage), not in a query string; true: the server's default, or empty storage without one; false: empty storage. With an object or true, the final storage is returned as an additional asset. If omitted: the server's default, and nothing is returned. */
  readonly with_storage?:
    | boolean
    | {
        readonly cookies?: readonly {
          readonly name: string;
          readonly value: string;
          readonly domain?: string;
          readonly path?: string;
          readonly url?: string;
          readonly expires?: number;
          readonly httpOnly?: boolean;
          readonly secure?: boolean;
          readonly sameSite?: 'Strict' | 'Lax' | 'None';
          readonly partitionKey?: string;
          readonly _crHasCrossSiteAncestor?: boolean;
        }[];
        readonly origins?: readonly {
          readonly origin: string;
          readonly localStorage?: readonly Readonly<Record<string, unknown>>[];
          readonly sessionStorage?: readonly Readonly<Record<string, unknown>>[];
          readonly indexedDB?: readonly Readonly<Record<string, unknown>>[];
          readonly cacheStorage?: readonly Readonly<Record<string, unknown>>[];
        }[];
      }
    | null
    | undefined;
  /** Maximum size of with_storage and of the storage file, in bytes of JSON. The file is filled in the order localStorage, sessionStorage, IndexedDB, Cache Storage; items beyond the limit are omitted. */
  readonly storage_limit?: number | null | undefined;
  /** Maximum number of bytes to capture of each response body. Absent: no limit. */
  readonly archive_body_size_limit?: number | null | undefined;
  /** Globs of URLs to visit although `crawl_deny_url` matches them; `*` matches any characters. Has no effect alone. */
  readonly crawl_allow_url?: readonly string[] | null | undefined;
  /** Globs of URLs not to visit; `*` matches any characters. */
  readonly crawl_deny_url?: readonly string[] | null | undefined;
  /** Number of pages that a walk loads concurrently, with one cache and one set of cookies. Default: the number of processors. */
  readonly crawl_concurrency?: number | null | undefined;
  /** Least seconds between two page loads on one host. A longer `Crawl-delay` of robots.txt is honored. With the default, a walk loads one page a second of each host. */
  readonly crawl_delay?: number | null | undefined;
  /** Maximum number of pages to load, with the first one. A walk that reaches it ends successfully. */
  readonly crawl_max_links?: number | null | undefined;
  /** Fetch the sources of audio and video elements of each page. */
  readonly crawl_media_sources?: boolean | null | undefined;
  /** Maximum seconds for each page of a walk. A page that exceeds it keeps what was recorded. Default: 30. */
  readonly crawl_page_timeout?: number | null | undefined;
  /** Maximum number of bytes of an archive. A walk that reaches it ends successfully. */
  readonly archive_spill_max_bytes?: number | null | undefined;
  /** Goal of a navigator: a language model that operates the page before it is rendered. Default output type: goal. */
  readonly navigate?: string | null | undefined;
  /** When the goal is reached: url:PATTERN (* matches any characters), css:SELECTOR (an element exists), or a question to which a model says yes. */
  readonly navigator_goal?: string | null | undefined;
  /** Language models that navigate instead of the server's own: <protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>], or a provider's name. The first acts, the others can be escalated to (options name, when, writer, escalate). */
  readonly navigator_type?: readonly string[] | string | null | undefined;
  /** Where the navigator may go: the URL's origin, its registrable domain with all subdomains and ports, or its folder. Extended by navigator_allow_url. */
  readonly navigator_initial_scope?: 'origin' | 'domain' | 'path' | null | undefined;
  /** Further URLs where the navigator may go, as globs: a host is all of its pages over https, a path belongs to the host of the URL, * before the first / stays within the host, ["*"] allows any URL. */
  readonly navigator_allow_url?: readonly string[] | null | undefined;
  /** Credentials by name. The navigator fills them in by name; their values are not sent to the model. */
  readonly navigator_credential?: Readonly<Record<string, string>> | null | undefined;
  /** URL globs where a credential may be filled in, by its name or a pattern (*_google). Default: the site of the URL. */
  readonly navigator_credential_origin?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Values by name that the navigator sees and can fill in. Not secret: they are sent to the model. Applied over navigator_data_json. */
  readonly navigator_data?: Readonly<Record<string, string>> | null | undefined;
  /** Objects, or http(s) URLs of such, with values like those of navigator_data. Each is applied over the ones before; nested names are joined with dots, null removes a name. */
  readonly navigator_data_json?: readonly (Readonly<Record<string, unknown>> | string)[] | null | undefined;
  /** Files that the navigator may attach to file inputs, as base64 data: URLs by file name. */
  readonly navigator_file?: Readonly<Record<string, string>> | null | undefined;
  /** Maximum number of steps. A step is one answer of a navigator. */
  readonly navigator_max_steps?: number | null | undefined;
  /** Steps with an unchanged URL after which the next navigator is asked, or the navigation ends if they repeat one action; 0 means no limit. */
  readonly navigator_stall_escalation?: number | null | undefined;
  /** Seconds for a model's answer, and for each action. */
  readonly navigator_step_timeout?: number | null | undefined;
  /** Maximum number of actions of a navigator that was escalated to, before the first one continues. */
  readonly navigator_escalation_max?: number | null | undefined;
  /** Return a Playwright test that replays the navigator's actions without a model as an additional asset. Requires navigate. */
  readonly with_navigator_playwright?: boolean | null | undefined;
  /** Return a Puppeteer script that replays the navigator's actions without a model as an additional asset. Requires navigate. */
  readonly with_navigator_puppeteer?: boolean | null | undefined;
  /** Return the navigator's actions as a list for the parameter steps, which repeats them without a model, as an additional asset. Requires navigate. */
  readonly with_navigator_steps?: boolean | null | undefined;
  /** Return a video (WebM, VP9) of the navigation as an additional asset. Requires navigate. */
  readonly with_navigator_video?: boolean | null | undefined;
  /** Width of the video of the navigation in pixels. Default: the width of a screenshot. Pages are scaled to fit. */
  readonly navigator_video_width?: number | null | undefined;
  /** Height of the video of the navigation in pixels. Default: the height of a screenshot. Pages are scaled to fit. */
  readonly navigator_video_height?: number | null | undefined;
  /** Caption the actions in the video of the navigation: what the navigator gives as the reason. The video pauses to be read. */
  readonly navigator_video_shows_captions?: boolean | null | undefined;
  /** Draw the pointer in the video of the navigation: an arrow, or a fingertip on a touch device. */
  readonly navigator_video_shows_pointer?: boolean | null | undefined;
  /** Where the captions are: top, bottom, center, rect(TOP RIGHT BOTTOM LEFT) or inset(TOP RIGHT BOTTOM LEFT), each side in px or %. The sides of rect are distances from the top and left, those of inset from each edge. */
  readonly navigator_video_captions_position?: string | null | undefined;
  /** Limit the accessibility tree, as output and as additional asset, to visible nodes: without hidden, transparent, clipped or completely covered nodes. Content that can be scrolled into view counts as visible. */
  readonly axtree_only_visible?: boolean | null | undefined;
  /** Return the accessibility tree as an additional asset. "json", or "true": a JSON tree with bounding boxes and all details. "text": an indented outline. "false": none. */
  readonly with_axtree?: 'json' | 'true' | 'text' | 'false' | true | false | null | undefined;
  /** Compares the image with this one: an http or https URL, `asset:` with the id of an asset, in a body a data: URL or a part of a form, on the command line a path. Adds `X-Compare`. */
  readonly compare?: string | null | undefined;
  /** Compares the image with that of another page, rendered first with the same parameters. */
  readonly compare_url?: string | null | undefined;
  /** Distance of colors from which a pixel counts as different: 0 (any) to 1 (black and white). */
  readonly compare_threshold?: number | null | undefined;
  /** Also count pixels of smoothed edges. */
  readonly compare_antialiasing?: boolean | null | undefined;
  /** The render fails with 422 `picture_differs` if more pixels differ. */
  readonly compare_max_pixels?: number | null | undefined;
  /** The render fails with 422 `picture_differs` if a larger part of the pixels differs. */
  readonly compare_max_ratio?: number | null | undefined;
  /** Also produce a PNG of the baseline, the difference and the image side by side, with the changed regions framed. */
  readonly with_diff?: boolean | null | undefined;
  /** Also produce the comparison as JSON: how many pixels differ, and where. */
  readonly with_comparison?: boolean | null | undefined;
  /** Values of elements by name: a CSS selector for the text of its first match, or {selector, attribute, type: text|html|markdown|number|url, all, required, fields}. "fields" are the same within each match, at most 5 deep. In a query: as JSON text. Sets output_type=json. */
  readonly extract?: Readonly<Record<string, unknown>> | string | null | undefined;
  /** Metadata of the page, as output_type=json. Title, description, language, canonical URL, Open Graph, Twitter, JSON-LD, icons, feeds. */
  readonly extract_metadata?: boolean | null | undefined;
  /** Links of the page, as output_type=json. Absolute URL, text and rel. */
  readonly extract_links?: boolean | null | undefined;
  /** JavaScript expression whose JSON value is in the output, as output_type=json. It runs in the page's world; a promise is awaited. */
  readonly extract_script?: string | null | undefined;
  /** Return the network traffic of the render as an additional asset, in the HAR 1.2 format. */
  readonly with_har?: boolean | null | undefined;
  /** Include response bodies in the HAR. By default they are included in the output, and not in the additional asset. */
  readonly har_capture_bodies?: boolean | null | undefined;
  /** Include every visited page in the HAR. By default it contains the final page and the redirects to it. */
  readonly har_captures_navigation?: boolean | null | undefined;
  /** Language model of llm_text and llm_json instead of the server's own: <protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>]. Programs (stdio) are not accepted. */
  readonly llm_format_model?: string | null | undefined;
  /** Return a CPU profile as an additional asset. */
  readonly with_pprof_cpu?: boolean | null | undefined;
  /** Return a memory profile as an additional asset. */
  readonly with_pprof_memory?: boolean | null | undefined;
  /** Include every visited page in the profiles. By default they cover the final page. */
  readonly pprof_captures_navigation?: boolean | null | undefined;
  /** Microseconds between two samples of a CPU profile. Below about 100, samples are less frequent than requested. */
  readonly pprof_cpu_interval_us?: number | null | undefined;
  /** Average number of bytes allocated between two samples of a memory profile. 1 records every allocation and is slow. */
  readonly pprof_memory_interval_bytes?: number | null | undefined;
  /** Skip gzip of CPU and memory profiles. On the command line, the extension of the output file decides: ".pb" is plain, ".pb.gz" is gzip. */
  readonly pprof_no_gzip?: boolean | null | undefined;
  /** Return a performance trace as an additional asset. */
  readonly with_trace?: boolean | null | undefined;
  /** Include every visited page in the trace. By default it is trimmed to the final page. */
  readonly trace_captures_navigation?: boolean | null | undefined;
  /** Skip gzip of the trace. On the command line, the extension of the output file decides: ".json" is plain, ".json.gz" is gzip. */
  readonly trace_no_gzip?: boolean | null | undefined;
  /** Omit the screenshot filmstrip from the trace. */
  readonly trace_no_screenshots?: boolean | null | undefined;
  /** Return the network traffic of the render as an additional asset, in the WARC 1.1 format. */
  readonly with_warc?: boolean | null | undefined;
  /** Return a CDXJ index of the WARC as an additional asset. Requires output_type=warc or with_warc. */
  readonly with_archive_cdx?: boolean | null | undefined;
  /** Include every visited page in the WARC. By default it contains the final page and the redirects to it. */
  readonly warc_captures_navigation?: boolean | null | undefined;
  /** Whether the filter lists of this server (`--adblock-rules`) apply to the render; by default they do. `true` is an error if there are none. */
  readonly block_ads?: boolean | null | undefined;
  /** Types of requests that are blocked before they leave; `other` includes frames and workers. The page itself is never blocked. */
  readonly block_resource_type?:
    | readonly ('image' | 'font' | 'media' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[]
    | 'image'
    | 'font'
    | 'media'
    | 'stylesheet'
    | 'script'
    | 'xhr'
    | 'fetch'
    | 'websocket'
    | 'other'
    | null
    | undefined;
  /** Globs of URLs: matching requests are blocked before they leave, WebSockets too. `*` matches any characters. */
  readonly block_url?: readonly string[] | string | null | undefined;
  /** Emulate `prefers-color-scheme: dark`; otherwise `light`. */
  readonly emulate_dark_mode?: boolean | null | undefined;
  /** Leave the Web Bluetooth API undefined. */
  readonly emulate_disable_bluetooth?: boolean | null | undefined;
  /** Leave the Web Serial API undefined. */
  readonly emulate_disable_serial?: boolean | null | undefined;
  /** Leave the WebUSB API undefined. */
  readonly emulate_disable_usb?: boolean | null | undefined;
  /** Position of the device, and the permission for pages to read it: a geo URI (RFC 5870), `geo:<latitude>,<longitude>[,<altitude>][;u=<uncertainty>]`, in degrees and meters. */
  readonly emulate_geolocation?: string | null | undefined;
  /** Unmasked renderer string of WebGL. */
  readonly emulate_gpu_renderer?: string | null | undefined;
  /** Unmasked vendor string of WebGL. */
  readonly emulate_gpu_vendor?: string | null | undefined;
  /** Number of processors: `navigator.hardwareConcurrency`. */
  readonly emulate_hardware_concurrency?: number | null | undefined;
  /** CSS media type. */
  readonly emulate_media?: string | null | undefined;
  /** Gigabytes of memory: `navigator.deviceMemory`, available in secure contexts only. 0 leaves it undefined. */
  readonly emulate_memory?: number | null | undefined;
  /** Emulate a mobile browser: viewport meta tag, overlay scroll bars, user agent data, and touch unless `emulate_touch_points` says otherwise. */
  readonly emulate_mobile?: boolean | null | undefined;
  /** Time zone, by its IANA name. */
  readonly emulate_timezone?: string | null | undefined;
  /** Number of touch points of an emulated touch screen: `navigator.maxTouchPoints`, and touch events. */
  readonly emulate_touch_points?: number | null | undefined;
  /** Vision deficiency to simulate. Default: normal vision. */
  readonly emulate_vision_deficiency?:
    'blurredVision' | 'reducedContrast' | 'achromatopsia' | 'deuteranopia' | 'protanopia' | 'tritanopia' | undefined;
  /** Makes renders repeatable: a fixed date, seeded `Math.random`, finished animations, videos and animated images at their first frame, no caret. Dates and ids of the output are fixed too. */
  readonly freeze?: boolean | null | undefined;
  /** Date and time that the page sees with "freeze", as in RFC 3339. Default: 2025-01-01T00:00:00Z. */
  readonly freeze_time?: string | null | undefined;
  /** Seed of `Math.random` with "freeze". Default: 1. */
  readonly freeze_seed?: number | null | undefined;
  /** CSS selectors of elements over which a box is painted, in frames too. Only for still images. */
  readonly mask?: readonly string[] | string | null | undefined;
  /** Color of the boxes of "mask". Default: #ff00ff. */
  readonly mask_color?: string | null | undefined;
  /** Remove modal overlays, popups and paywalls: refuse consent where the banner allows it, close other pop-ups, remove the rest. Takes at most 2 seconds once the page is ready. */
  readonly remove_modals?: boolean | null | undefined;
  /** Style sheet that is added to every frame of the page before its first paint; at most 256 KiB. */
  readonly css?: string | null | undefined;
  /** CSS selectors of elements that become invisible and keep their room, also those that appear later. */
  readonly hide_selector?: readonly string[] | string | null | undefined;
  /** CSS selectors of elements that are removed from the page, also those that appear later. */
  readonly remove_selector?: readonly string[] | string | null | undefined;
  /** Seconds to wait before the capture, once the page is ready and prepared. The default timeout grows by them. */
  readonly wait_after?: number | null | undefined;
  /** An archive that is the network of the render: WACZ, WARC (also gzip) or HAR. A URL, `asset:ID` of an earlier render, or in a body a data: URL or a part of a form; on the command line a path. Nothing else is connected to. */
  readonly replay?: string | null | undefined;
  /** Moment whose captures are preferred: `YYYYMMDDhhmmss` in UTC, or RFC 3339. Default: the capture of the page itself, nearest to the first one of the archive. */
  readonly replay_at?: string | null | undefined;
  /** Date of the page's scripts: the present, or running from the moment of the capture. */
  readonly replay_clock?: 'now' | 'capture' | null | undefined;
  /** Whether cache busters, the order of parameters, and posted data may differ from the archive. */
  readonly replay_match?: 'fuzzy' | 'exact' | null | undefined;
  /** Also produce a JSON list of the requests, each with its record of the archive, or null where it has none. The response begins when the output is complete. */
  readonly with_replay_report?: boolean | null | undefined;
  /** Render the target even if its site's robots.txt disallows it. */
  readonly skip_robots_txt?: boolean | null | undefined;
  /** Actions in the page before it is captured, in order, such as {"click": SELECTOR}: click, fill, select, check, uncheck, hover, press, type, scroll, wait, goto, back, drag, attach, dialog, tab. SELECTOR is CSS, text=TEXT (exact), role=ROLE[name="NAME"] or label=TEXT; A >>> B finds B in the shadow tree or frame A; its first visible match is waited for. */
  readonly steps?:
    | readonly {
        readonly click?: string;
        readonly fill?: string;
        readonly select?: string;
        readonly check?: string;
        readonly uncheck?: string;
        readonly hover?: string;
        readonly press?: string;
        readonly type?: string;
        readonly scroll?: string;
        readonly drag?: string;
        readonly attach?: string;
        readonly goto?: string;
        readonly to?: string;
        readonly at?: string;
        readonly file?: string | readonly string[];
        readonly text?: string;
        readonly wait?: number | string;
        readonly value?: string | readonly string[] | { readonly credential: string };
        readonly back?: true;
        readonly dialog?: 'accept' | 'dismiss';
        readonly tab?: number;
        readonly close?: boolean;
        readonly dir?: 'up' | 'down' | 'left' | 'right';
        readonly amount?: number;
        readonly button?: 'left' | 'middle' | 'right';
        readonly count?: number;
        readonly modifiers?: readonly ('Alt' | 'Control' | 'Meta' | 'Shift')[];
      }[]
    | null
    | undefined;
  /** Elements to click before the page is captured, one after the other, after steps: CSS, text=TEXT (exact), role=ROLE[name="NAME"] or label=TEXT; A >>> B finds B in the shadow tree or frame A. */
  readonly click_selector?: readonly string[] | string | null | undefined;
  /** Preferred languages: an Accept-Language header, sent unchanged. A list without weights gets the weights that browsers add. */
  readonly accept_language?: string | null | undefined;
  /** Viewport width in CSS pixels. */
  readonly browser_width?: number | null | undefined;
  /** Viewport height in CSS pixels. */
  readonly browser_height?: number | null | undefined;
  /** Cookies to start with, each `name=value; Domain=<domain>`, optionally with Path (default /), Expires, Max-Age, Secure, HttpOnly and SameSite. Without Domain: only for the host of the URL. */
  readonly cookie?: readonly string[] | null | undefined;
  /** HTTP headers to send, each `Name: Value`, as UTF-8. They are sent to the URL's own origin only, also after redirects, and not with WebSocket handshakes. `User-Agent` has the effect of `user_agent` and excludes it; `Accept-Language` excludes `accept_language`. */
  readonly header?: readonly string[] | null | undefined;
  /** Device preset: viewport size, device scale factor, user agent, platform and mobile emulation. The individual parameters override it. Case and spaces are ignored. */
  readonly device?: string | null | undefined;
  /** Device pixels per CSS pixel. The output is ceil(browser_width x scale) by ceil(browser_height x scale). */
  readonly device_scale_factor?: number | null | undefined;
  /** User agent string for requests and scripts, with matching client hints. */
  readonly user_agent?: string | null | undefined;
  /** Platform that scripts see. */
  readonly platform?: string | null | undefined;
  /** JavaScript to run in the page once it has loaded. A promise as its result and top-level `await` are awaited. */
  readonly javascript?: string | null | undefined;
  /** HTML document to show at "url", which is not loaded: its base URL, origin, cookies and storage are those of "url". Default of "url": https://upload.invalid/. */
  readonly html?: string | null | undefined;
  /** Files that the page loads from https://upload.invalid/, as data: URLs by relative path; they never leave the server. "url" may be a path among them. Default of "url": index.html. */
  readonly upload?: Readonly<Record<string, string>> | null | undefined;
  /** When the page is ready: a number of seconds from 0 to 86400, "immediate", "load", "networkidle0", "networkidle2" (each optionally followed by ":seconds"), "js:eventName" or "css:selector". Seconds count from DOMContentLoaded; the networkidle forms need the load event too. */
  readonly wait_for?: string | number | null | undefined;
  /** Capture a page that has not loaded, or does not meet `wait_for`, at the end of `timeout` as it is then, in at most 5 seconds more. `X-Timeout` names the phase. */
  readonly capture_on_timeout?: boolean | null | undefined;
  /** Signing identity and key for every request of the render (Web Bot Auth), given as AGENT=KEY: AGENT an https:// origin, KEY an Ed25519 private key (PKCS#8 PEM or JWK) as a data: URI or an http(s) URL. Overrides the server's setting. */
  readonly web_bot_auth?: string | null | undefined;
  /** Return diagnostic information about the server environment instead of rendering. */
  readonly diagnostics?: boolean | null | undefined;
  /** Proxy for the connections of this render: an http, https or socks5 URL. The server must allow it (`--egress-allow-proxy`). */
  readonly proxy?: string | null | undefined;
  /** Follow the links of each page within the registrable domain of the target, and archive those pages too. */
  readonly crawl_links?: boolean | null | undefined;
  /** Maximum number of links between the target and a page. Absent: any number. */
  readonly crawl_link_depth?: number | null | undefined;
  /** CSS selectors of further elements whose `href`, `src` or `data-href` is a link, or that contain links. */
  readonly crawl_link_selector?: readonly string[] | null | undefined;
  /** The target is a list of URLs, all of which are archived: `xml` is a sitemap or a sitemap index, `text` has one URL per line and `#` comments, `auto` reads XML, and refuses a list that is text: that one needs `text`. */
  readonly crawl_url_is_sitemap?: 'auto' | 'xml' | 'text' | null | undefined;
  /** Levels of sitemap indexes to follow. */
  readonly crawl_sitemap_max_depth?: number | null | undefined;
}

/** Parameters of some output types: `OutputKeys` has the types of each. */
interface OutputParams {
  /** Only the article of the page, without navigation and other parts around it, for markdown, txt, html and jsonl. A page without one is returned whole, with the header `X-Main-Content: not-found`. */
  readonly main_content?: boolean | null | undefined;
  /** Output image width in pixels. Alone, it keeps the aspect ratio; with image_height, the image has exactly that size, filled from the top and cropped if the ratio differs. */
  readonly image_width?: number | null | undefined;
  /** Output image height in pixels. Alone, it keeps the aspect ratio. */
  readonly image_height?: number | null | undefined;
  /** CSS selector. Crops the image to the bounding rectangle of the first match at render start, which is also the default output size. */
  readonly image_selector?: string | null | undefined;
  /** Quality of a jpg, webp, avif or jpegxl image. Default: the output type's own. */
  readonly image_quality?: number | null | undefined;
  /** Encode a webp, avif or jpegxl image without loss. */
  readonly image_lossless?: boolean | null | undefined;
  /** Leave the background transparent where the page paints none. */
  readonly image_transparent?: boolean | null | undefined;
  /** Crops the image to a rectangle of the page: x,y,width,height in CSS pixels. */
  readonly image_clip?: string | null | undefined;
  /** Capture the full scrollable page. The page is loaded twice: at the browser height, then at the height of its content. */
  readonly full_page?: boolean | null | undefined;
  /** Duration of an animated image in seconds, at most 600 frames. Animates output types that are still by default; gif and apng default to 5. A webp merges equal consecutive frames. */
  readonly image_duration?: number | null | undefined;
  /** Frames per second of an animated image. */
  readonly image_framerate?: number | null | undefined;
  /** Duration of a video in seconds, at most 3600 frames. */
  readonly video_duration?: number | null | undefined;
  /** Frames per second of a video. */
  readonly video_framerate?: number | null | undefined;
  /** Video width in pixels, at most 8192 (8K). Alone, it keeps the aspect ratio; with video_height, the video has exactly that size, filled from the top and cropped if the ratio differs. */
  readonly video_width?: number | null | undefined;
  /** Video height in pixels, at most 8192 (8K). Alone, it keeps the aspect ratio. */
  readonly video_height?: number | null | undefined;
  /** CSS selector. Crops every frame of a video to the bounding rectangle of the first match at render start. The rectangle does not change after that. */
  readonly video_selector?: string | null | undefined;
  /** Add an outline (bookmarks) from the headings of the page to the PDF. */
  readonly pdf_generate_document_outline?: boolean | null | undefined;
  /** Add the logical structure (tags) to the PDF, for screen readers and text extraction. */
  readonly pdf_generate_tagged_pdf?: boolean | null | undefined;
  /** Page width in inches. */
  readonly pdf_width?: number | null | undefined;
  /** Page height in inches. */
  readonly pdf_height?: number | null | undefined;
  /** Landscape orientation: the longer side of the page is its width. */
  readonly pdf_landscape?: boolean | null | undefined;
  /** Let the page's own `@page { size }` take precedence over width, height and orientation; otherwise its content is fitted to the page size. */
  readonly pdf_prefer_css_page_size?: boolean | null | undefined;
  /** Scale factor of the content. */
  readonly pdf_scale?: number | null | undefined;
  /** Paper size by its name, instead of pdf_width and pdf_height. Case is ignored. */
  readonly pdf_format?: string | null | undefined;
  /** Page margins, as in CSS: one to four lengths in in, cm, mm, pt or px; a number is in inches. The page's own `@page { margin }` takes precedence. Default: 0.4 inches. */
  readonly pdf_margin?: string | number | null | undefined;
  /** HTML in the top margin of every page. Elements of the classes date, title, url, pageNumber and totalPages are filled in. Scripts do not run, and only data: URLs are loaded. */
  readonly pdf_header?: string | null | undefined;
  /** HTML in the bottom margin of every page. Elements of the classes date, title, url, pageNumber and totalPages are filled in. Scripts do not run, and only data: URLs are loaded. */
  readonly pdf_footer?: string | null | undefined;
  /** Pages to print. An end may be omitted: `-2` is the first two pages. */
  readonly pdf_page_ranges?: string | number | null | undefined;
  /** Print background colors and images. */
  readonly pdf_print_background?: boolean | null | undefined;
  /** Print one page as high as the content, at most 200 inches. */
  readonly pdf_single_page?: boolean | null | undefined;
  /** Title in the metadata of the PDF. Default: the title of the page. */
  readonly pdf_title?: string | null | undefined;
  /** Author in the metadata of the PDF. */
  readonly pdf_author?: string | null | undefined;
  /** Subject in the metadata of the PDF. */
  readonly pdf_subject?: string | null | undefined;
  /** Keywords in the metadata of the PDF. */
  readonly pdf_keywords?: string | null | undefined;
  /** Pixel format of BMP output. Other output types ignore it. */
  readonly bmp_pixel_format?: 'bgr24' | 'rgb565le' | 'gray8' | null | undefined;
  /** Content of each page of jsonl. `extract` needs the parameter of this name. `screenshot` is the id of a PNG asset (`/assets?id=`), on the command line the path of a file. Default: markdown. */
  readonly crawl_content?:
    | readonly ('markdown' | 'txt' | 'html' | 'metadata' | 'links' | 'extract' | 'screenshot')[]
    | 'markdown'
    | 'txt'
    | 'html'
    | 'metadata'
    | 'links'
    | 'extract'
    | 'screenshot'
    | null
    | undefined;
  /** Instructions for the language model of llm_text and llm_json, which is sent the accessibility tree and a screenshot of the page. */
  readonly llm_format_prompt?: string | null | undefined;
  /** Valid answers. For llm_text: the strings that the answer may be, as a list or one comma-delimited string. For llm_json: a JSON Schema of the answer. */
  readonly llm_format_expects?: unknown;
  /** Do not label the elements in the screenshot for the language model with their refs in the accessibility tree. */
  readonly llm_no_screenshot_labels?: boolean | null | undefined;
  /** Markdown flavor: CommonMark, or GitHub Flavored Markdown with tables, strikethrough, task lists and autolinks. */
  readonly markdown_format?: 'common' | 'gfm' | null | undefined;
  /** Embed images as data URIs. By default they keep their absolute URLs. */
  readonly markdown_embed_content?: boolean | null | undefined;
  /** Omit the page's title, which is the first heading by default. The headings of the page itself are not affected. */
  readonly markdown_no_title?: boolean | null | undefined;
  /** CSS selector: converts all matching elements, in document order. By default the body is converted. */
  readonly markdown_selector?: string | null | undefined;
  /** Password that opens the PDF, which is encrypted with AES-256. */
  readonly pdf_password?: string | null | undefined;
}

/** Which output types have which parameters. */
type OutputKeys =
  | { types: 'html' | 'jsonl' | 'markdown' | 'txt'; keys: 'main_content' }
  | {
      types: 'apng' | 'avif' | 'bmp' | 'gif' | 'jpegxl' | 'jpg' | 'jsonl' | 'png' | 'tiff' | 'webp';
      keys: 'image_width' | 'image_height' | 'image_selector';
    }
  | { types: 'avif' | 'jpegxl' | 'jpg' | 'webp'; keys: 'image_quality' }
  | { types: 'avif' | 'jpegxl' | 'webp'; keys: 'image_lossless' }
  | { types: 'apng' | 'avif' | 'gif' | 'jpegxl' | 'jsonl' | 'png' | 'tiff' | 'webp'; keys: 'image_transparent' }
  | { types: 'avif' | 'bmp' | 'jpegxl' | 'jpg' | 'jsonl' | 'png' | 'tiff' | 'webp'; keys: 'image_clip' }
  | {
      types: 'apng' | 'avif' | 'bmp' | 'gif' | 'jpegxl' | 'jpg' | 'jsonl' | 'mkv' | 'mp4' | 'png' | 'tiff' | 'webm' | 'webp';
      keys: 'full_page';
    }
  | { types: 'apng' | 'avif' | 'gif' | 'webp'; keys: 'image_duration' | 'image_framerate' }
  | { types: 'mkv' | 'mp4' | 'webm'; keys: 'video_duration' | 'video_framerate' | 'video_width' | 'video_height' | 'video_selector' }
  | {
      types: 'pdf';
      keys:
        | 'pdf_generate_document_outline'
        | 'pdf_generate_tagged_pdf'
        | 'pdf_width'
        | 'pdf_height'
        | 'pdf_landscape'
        | 'pdf_prefer_css_page_size'
        | 'pdf_scale'
        | 'pdf_format'
        | 'pdf_margin'
        | 'pdf_header'
        | 'pdf_footer'
        | 'pdf_page_ranges'
        | 'pdf_print_background'
        | 'pdf_single_page'
        | 'pdf_title'
        | 'pdf_author'
        | 'pdf_subject'
        | 'pdf_keywords'
        | 'pdf_password';
    }
  | { types: 'bmp'; keys: 'bmp_pixel_format' }
  | { types: 'jsonl'; keys: 'crawl_content' }
  | { types: 'llm_json' | 'llm_text'; keys: 'llm_format_prompt' | 'llm_format_expects' | 'llm_no_screenshot_labels' }
  | { types: 'jsonl' | 'markdown'; keys: 'markdown_format' | 'markdown_embed_content' | 'markdown_no_title' | 'markdown_selector' };

type KeysOf<T, G = OutputKeys> = G extends { types: infer O; keys: infer K } ? ([Extract<T, O>] extends [never] ? never : K) : never;

/** Parameters of a render into the type `T`; `W` are the further types. Without `output_type` it is `png`, or `json` with one of its keys. */
export type RenderParams<T extends OutputType = 'json' | 'png', W extends OutputType = never> = CommonParams &
  Pick<OutputParams, KeysOf<T | W>> & {
    readonly output_type?: T | undefined;
    /** Further outputs of the same page: each is an asset. */
    readonly with_output?: readonly W[] | null | undefined;
  };

/** Parameters of a render into any type. */
export type AnyParams = { [T in OutputType]: (Alone<T> & { readonly output_type: T }) | Beside<T> }[OutputType] | Alone<'json' | 'png'>;
type Alone<T extends OutputType> = RenderParams<T> & Partial<Record<Exclude<keyof OutputParams, KeysOf<T>> | 'with_output', undefined>>;
type Beside<T extends OutputType> = RenderParams<T, OutputType> & { readonly output_type: T; readonly with_output: readonly OutputType[] };

/** Body of every error response (RFC 9457). `code` is stable: programs should test it. */
export interface Problem {
  /** `urn:platen:problem:` and the code. */
  readonly type: string;
  /** Meaning of the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What failed, and the valid values. */
  readonly detail: string;
  /** Request id, as in `X-Request-Id` and in the log. */
  readonly instance: string;
  readonly code:
    | 'invalid_parameters'
    | 'malformed_request'
    | 'unauthorized'
    | 'forbidden'
    | 'origin_refused'
    | 'robots_disallowed'
    | 'target_blocked'
    | 'license_required'
    | 'not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'gone'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'range_not_satisfiable'
    | 'unsupported_media_type'
    | 'expectation_failed'
    | 'selector_not_found'
    | 'selector_empty'
    | 'selection_empty'
    | 'page_unreadable'
    | 'page_unstable'
    | 'capture_too_large'
    | 'page_too_heavy'
    | 'not_a_download'
    | 'download_too_large'
    | 'not_in_archive'
    | 'picture_differs'
    | 'goal_not_reached'
    | 'too_many_requests'
    | 'headers_too_large'
    | 'print_failed'
    | 'encode_failed'
    | 'plugin_failed'
    | 'internal'
    | 'feature_unavailable'
    | 'target_status'
    | 'target_unreachable'
    | 'proxy_failed'
    | 'target_not_page'
    | 'page_crashed'
    | 'llm_upstream'
    | 'llm_output_invalid'
    | 'step_failed'
    | 'script_failed'
    | 'browser_unavailable'
    | 'browser_lost'
    | 'overloaded'
    | 'draining'
    | 'render_timeout';
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The invalid parameters. */
  readonly errors?: readonly { readonly parameter: string; readonly detail: string }[] | undefined;
  /** Response of the target. */
  readonly target?:
    { readonly url: string; readonly status?: number; readonly net_error?: string; readonly download?: boolean } | undefined;
  /** Phase in which the timeout expired. */
  readonly phase?: string | undefined;
  /** Conditions that were not met. */
  readonly unmet?: string | undefined;
  /** What was done until the failure: of `goal_not_reached`, the steps of the navigator; of `step_failed`, the step and what the page showed. */
  readonly report?: Readonly<Record<string, unknown>> | undefined;
  /** Additional assets of the failed render, as in `Link`. */
  readonly assets?:
    readonly { readonly name: string; readonly url: string; readonly content_type: string; readonly bytes: number }[] | undefined;
  /** Requested assets that could not be made, each with the reason. */
  readonly missing_assets?: readonly { readonly name: string; readonly reason: string }[] | undefined;
}

/** The body of `GET /jobs/{id}`. */
export interface JobRecord {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
  readonly created_at: string;
  readonly started_at?: string | undefined;
  readonly ended_at?: string | undefined;
  readonly expires_at?: string | undefined;
  /** Phase of the render; pages or steps of a render that has several. */
  readonly progress?: { readonly phase?: string; readonly done?: number; readonly queued?: number; readonly failed?: number } | undefined;
  /** The output, as a path on this server. */
  readonly output?: { readonly url: string; readonly content_type: string; readonly bytes: number } | undefined;
  readonly assets?:
    readonly { readonly name: string; readonly url: string; readonly content_type: string; readonly bytes: number }[] | undefined;
  /** Response headers of the render. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly problem?: Problem | undefined;
  readonly webhook?: { readonly attempts?: number; readonly outcome?: 'delivered' | 'failed' } | undefined;
}
