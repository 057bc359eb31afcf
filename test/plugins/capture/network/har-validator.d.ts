declare module 'har-validator' {
  const validator: {
    /** Rejects with the schema's errors. */
    har(data: unknown): Promise<unknown>;
  };
  export default validator;
}
