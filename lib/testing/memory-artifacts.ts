import type { Artifact, ArtifactEntry, Artifacts } from '@/lib/runtime/ports';

/** Keeps artifacts that outlive a run in memory. Saving again with the same key returns the same version. */
export function memoryArtifacts(): Artifacts {
  const byName = new Map<string, (Artifact & ArtifactEntry)[]>();
  const byKey = new Map<string, number>();
  return {
    async save(name, artifact, key) {
      const known = byKey.get(`${name} ${key}`);
      if (known !== undefined) return known;
      const versions = byName.get(name) ?? [];
      const version = versions.length + 1;
      byName.set(name, [...versions, { ...artifact, name, version, bytes: artifact.content.length }]);
      byKey.set(`${name} ${key}`, version);
      return version;
    },
    async load(name, version) {
      const versions = byName.get(name) ?? [];
      return versions[(version ?? versions.length) - 1];
    },
    async list() {
      return [...byName.values()].flatMap((versions) => {
        const last = versions.at(-1);
        return last ? [{ name: last.name, version: last.version, mimeType: last.mimeType, bytes: last.bytes }] : [];
      });
    },
  };
}
