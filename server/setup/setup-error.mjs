/** A set-up that cannot go on: what failed, and what to do about it. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {string} advice
   */
  constructor(message, advice) {
    super(message);
    this.name = 'SetupError';
    this.advice = advice;
  }
}
