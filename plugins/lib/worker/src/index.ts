export { isOutOfMemory } from './ask-worker.js';
export { createWorkerPool, type RunOptions, type WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
