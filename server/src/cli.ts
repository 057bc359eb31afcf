#!/usr/bin/env node
import { earlySighup } from './boot/early-sighup.js';

// Imported only here: loading these modules takes time.
const [{ installedCatalog }, { runProcess }] = await Promise.all([import('./boot/catalog.js'), import('./cli/run-process.js')]);
await runProcess(installedCatalog, earlySighup);
