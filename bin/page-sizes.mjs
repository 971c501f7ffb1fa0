// Tells how much JavaScript each page of the built app loads at first, gzipped, without what only old browsers load: node bin/page-sizes.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, '.next');
const manifestName = 'page_client-reference-manifest.js';

/** Returns the bytes of each page, by its path below `app`, and of what every page loads whatever is on it (`floor`). */
export function pageSizes() {
  const sizes = new Map();
  const sizeOf = (file) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(join(built, file)), { level: 9 }).length;
    sizes.set(file, known);
    return known;
  };
  const sum = (files) => [...new Set(files)].reduce((bytes, file) => bytes + sizeOf(file), 0);
  const { rootMainFiles } = JSON.parse(readFileSync(join(built, 'build-manifest.json'), 'utf8'));
  const pages = new Map();
  for (const file of readdirSync(join(built, 'server/app'), { recursive: true })) {
    if (!file.endsWith(manifestName)) continue;
    const page = `/${file.slice(0, -manifestName.length).replace(/\/$/, '')}`;
    pages.set(page, sum([...rootMainFiles, ...filesOf(join(built, 'server/app', file))]));
  }
  return { floor: sum(rootMainFiles), pages };
}

/** Returns the scripts of a page and of its layouts. */
function filesOf(manifest) {
  const text = readFileSync(manifest, 'utf8');
  const { entryJSFiles } = JSON.parse(text.slice(text.indexOf('] = {') + 4).replace(/;?\s*$/, ''));
  return Object.values(entryJSFiles).flat();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { floor, pages } = pageSizes();
  const kb = (bytes) => `${(bytes / 1_024).toFixed(1).padStart(7)} KB`;
  console.log(`${kb(floor)}  React and Next alone`);
  for (const [page, bytes] of [...pages].sort(([, a], [, b]) => b - a)) console.log(`${kb(bytes)}  ${page}`);
}
