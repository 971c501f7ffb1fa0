/**
 * Returns the places in `packages` of a package-lock.json, such as `node_modules/next`, that the dependencies of the app need, with those of
 * their dependencies. An optional peer is not followed: a package that works without it does so.
 */
export function keptPackages(packages) {
  const kept = new Set();
  const visit = (place) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
    const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    for (const name of names) {
      const found = placeOf(packages, place, name);
      if (found === undefined || kept.has(found)) continue;
      kept.add(found);
      visit(found);
    }
  };
  visit('');
  return kept;
}

/** Finds a package as Node does: beside the one that asks, then further up. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}
