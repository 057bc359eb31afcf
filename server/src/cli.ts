#!/usr/bin/env node
import { installedCatalog } from './cli/catalog.js';
import { runProcess } from './cli/run-process.js';

await runProcess(installedCatalog);
