export { createEgress, type Egress, type EgressListener } from './proxy.js';
