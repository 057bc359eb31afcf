/** One thing that the doctor looked at. */
export interface Finding {
  /** Stable name, for scripts. */
  readonly id: string;
  /** `remark`: Platen works with limitations; `missing`: it does not work. */
  readonly state: 'ok' | 'remark' | 'missing';
  /** The result on one line. */
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string;
  /** The same as `text`, for scripts. Sizes in bytes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The host's support for one output type. `reduced`: some of its parameters are unavailable. */
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
