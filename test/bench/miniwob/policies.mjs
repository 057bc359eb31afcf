export const POLICIES = {};
