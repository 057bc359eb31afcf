/** One thing that the doctor looked at. */
export interface Finding {
  /** Stable name, for scripts. */
  readonly id: string;
  /** `remark`: Platen works, less well; `missing`: it does not. */
  readonly state: 'ok' | 'remark' | 'missing';
  /** What was found, in a line. */
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string;
  /** The same as `text`, for scripts. Sizes in bytes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What the host makes of one output type. `reduced`: some of its parameters cannot be served. */
export interface OutputState {
  readonly type: string;
  readonly plugin: string;
  readonly state: 'ready' | 'reduced' | 'missing' | 'disabled';
  readonly because?: string;
  readonly fix?: string;
}

export interface DoctorReport {
  /** False where nothing can be rendered. */
  readonly ready: boolean;
  readonly findings: readonly Finding[];
  readonly outputs: readonly OutputState[];
}
