/** Requests a run of the work. All requests made during a run share one further run. The work does not reject. */
export function coalesceRuns(work: () => Promise<void>): () => void {
  let asked = 0;
  const run = async (): Promise<void> => {
    for (; asked > 0; asked = Math.min(asked - 1, 1)) await work();
  };
  return () => {
    if (++asked === 1) void run();
  };
}
