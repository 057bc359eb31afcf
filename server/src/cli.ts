#!/usr/bin/env node
import { earlySighup } from './cli/early-sighup.js';

// Only now: all that these are built on takes its time to load.
const [{ installedCatalog }, { runProcess }] = await Promise.all([import('./cli/catalog.js'), import('./cli/run-process.js')]);
await runProcess(installedCatalog, earlySighup);
