/** An error that stops the setup: the failure, and how to fix it. */
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
