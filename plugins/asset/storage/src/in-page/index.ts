import { createStorageRpc, type StorageRpc } from './storage-rpc.js';
import { readItems } from './read-items.js';
import { createDatabase, putCached, putRecords, writeArea } from './write-items.js';

export function openStorageRpc(): StorageRpc {
  return createStorageRpc(readItems, { area: writeArea, database: createDatabase, records: putRecords, cached: putCached });
}
