// Writes public/third-party-notices.txt: name, version and licence of each package that a built app needs, and its licence file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptPackages } from './kept-packages.mjs';

const licenceFile = /^(licen[cs]e|copying|notice|ofl)\b/i;

/** Writes the notices of the packages of `root` that are installed. A text that many packages have is written once. */
export function writeNotices(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const byText = new Map();
  for (const place of [...keptPackages(packages)].sort()) {
    const files = filesOf(join(root, place));
    // One for another platform is not installed.
    if (files === undefined) continue;
    const { version, license = 'licence in the text' } = packages[place];
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const text = files.map((file) => readFileSync(join(root, place, file), 'utf8').trim()).join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(
    ([text, names]) => `${names.join('\n')}\n\n${text === '' ? 'No licence file.' : text}\n`,
  );
  const head = 'Callboard is made with these packages, under their own licences.\n';
  writeFileSync(join(root, 'public/third-party-notices.txt'), [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}

function filesOf(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && licenceFile.test(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
