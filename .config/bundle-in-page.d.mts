export declare const IN_PAGE_ENTRY: RegExp;
export declare function bundleInPage(entry: string): Promise<string>;
