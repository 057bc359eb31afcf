export { createSlots, type Slots } from './slots.js';
