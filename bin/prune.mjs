// Removes the packages that a built app does not need: tools of development, and what other packages take only if it is there. npm keeps
// the latter with `prune --omit=dev`, the CLI of Prisma and the test runners among them.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptPackages } from './kept-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const kept = keptPackages(packages);
// A package inside one that goes is gone with it; one inside a package that stays is looked at for itself.
const gone = Object.keys(packages).filter((place) => place !== '' && !kept.has(place));
for (const place of gone) {
  const holdsKept = [...kept].some((each) => each.startsWith(`${place}/node_modules/`));
  if (!holdsKept) rmSync(join(root, place), { recursive: true, force: true });
}
console.log(`Kept ${kept.size} packages of ${Object.keys(packages).length - 1}.`);
