/** The result of one check. */
export interface Finding {
  /** Stable name, for scripts. */
  readonly id: string;
  /** `remark`: Platen works with limitations; `missing`: it does not work. */
  readonly state: 'ok' | 'remark' | 'missing';
  /** The result on one line. */
  readonly text: string;
  /** How to fix it. */
  readonly fix?: string;
  /** The same data as `text`, for scripts. Sizes in bytes. */
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
  /** False if nothing can be rendered. */
  readonly ready: boolean;
  readonly findings: readonly Finding[];
  readonly outputs: readonly OutputState[];
}
