export { isOutOfMemory } from './run-in-worker.js';
export { createWorkerPool, type RunOptions, type WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
