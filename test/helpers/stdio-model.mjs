// A local program as a model: `node stdio-model.mjs FOLDER`. It follows FOLDER/steps.json, and notes its requests in FOLDER/seen.jsonl, so
// that it goes on where it was when it is started again.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const folder = process.argv[2];
const steps = JSON.parse(readFileSync(`${folder}/steps.json`, 'utf8'));
const file = `${folder}/seen.jsonl`;
let at = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
appendFileSync(`${folder}/starts`, `${process.pid}\n`);
const held = [];

createInterface({ input: process.stdin }).on('line', (line) => {
  appendFileSync(file, `${line}\n`);
  const { id } = JSON.parse(line);
  const step = steps[at++];
  if (step === 'die') process.exit(3);
  else if (step === 'hang') return;
  else if (step === 'garbage') process.stdout.write('not JSON\n');
  // Responds to both in reverse order.
  else if (step === 'hold') held.push(id);
  else {
    write({ id, usage: { input: 100, output: 20, cached: 40 }, ...step });
    for (const earlier of held.splice(0)) write({ id: earlier, text: 'held' });
  }
});

function write(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
