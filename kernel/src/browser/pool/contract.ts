export interface PoolStatus {
  readonly browsers: number;
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly capacity: number;
  readonly restarts: number;
  /** True while no browser can open a page. Before the first one starts it is false. */
  readonly degraded: boolean;
  /** The executables of running or last-run browsers, by path; the text differs if the file was replaced. */
  readonly started: ReadonlyMap<string, string>;
}
