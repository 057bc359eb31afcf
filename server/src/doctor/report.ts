import type { Finding } from '../service/hooks.js';

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

const MARKS: Readonly<Record<Finding['state'] | OutputState['state'], string>> = {
  ok: 'ok',
  ready: 'ready',
  remark: '-',
  reduced: 'reduced',
  disabled: 'disabled',
  missing: 'MISSING',
};

/** The report as a plain text table: no colors, no wide characters. */
export function formatReport({ ready, findings, outputs }: DoctorReport): string {
  const host = findings.map(({ id, state, text, fix }) => row({ name: id.replaceAll('_', ' '), mark: MARKS[state], text, fix }));
  // Without a browser, all types lack the same part: one line is enough.
  const formats = outputs.map(({ type, state, plugin, because, fix }, index) => {
    const again = because !== undefined && because === outputs[index - 1]?.because;
    return row({
      name: type,
      mark: MARKS[state],
      text: again ? 'the same' : (because ?? `plugin ${plugin}`),
      fix: again || state === 'disabled' ? undefined : fix,
    });
  });
  const verdict = ready ? 'Platen can render.' : 'Platen cannot render: see MISSING above.';
  return ['Host', ...host.flat(), '', 'Output types', ...formats.flat(), '', verdict, ''].join('\n');
}

interface Row {
  readonly name: string;
  readonly mark: string;
  readonly text: string;
  readonly fix: string | undefined;
}

function row({ name, mark, text, fix }: Row): readonly string[] {
  const [first = '', ...more] = text.split('\n');
  const indent = ' '.repeat(30);
  const head = `  ${name.padEnd(18)} ${mark.padEnd(8)} ${first}`;
  return [head, ...more.map((line) => `${indent}${line}`), ...(fix === undefined ? [] : [`${indent}-> ${fix}`])];
}
