export function keptPackages(packages: Readonly<Record<string, object>>): Set<string>;
