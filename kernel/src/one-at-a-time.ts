/**
 * Asks for the work to be done: who asks while it is under way gets it done once more, together with all others who do. The work does
 * not reject.
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isUnderWay = false;
  let isAsked = false;
  const workWhileAsked = async () => {
    isUnderWay = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isUnderWay = false;
  };
  return () => {
    isAsked = true;
    if (!isUnderWay) void workWhileAsked();
  };
}
