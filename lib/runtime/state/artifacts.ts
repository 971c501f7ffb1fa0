import type { InstancePath, RunId, StepKey } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import { sha256 } from '@/lib/base/sha256';
import type { Artifact, ArtifactAccess, ArtifactEntry, ArtifactFault, Artifacts, HashPort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { ArtifactSpace, RunEvent } from '@/lib/runtime/record/events';

type SavedEvent = Extract<RunEvent, { kind: 'artifact.saved' }>;
type Saved = Omit<SavedEvent, 'seq' | 'at' | 'kind'>;

/** The space of an instance's artifacts, and what it may save there. */
export interface ArtifactRights {
  readonly space: ArtifactSpace;
  /** If not empty, a name must begin with one prefix of each list. */
  readonly prefixes: readonly (readonly string[])[];
}

const userPrefix = 'user:';
const encoder = new TextEncoder();

/**
 * The artifacts of a run. Each version is an `artifact.saved` event with its content, so a resumed run and a
 * replay have them all. There are three kinds of space: `run`; `instance:<path>` for a child that keeps its own, and for its
 * descendants; `user` for names that begin with `user:`, which outlives the run if there is a store.
 */
export class RunArtifacts {
  private readonly saved: Saved[] = [];
  /** Versions in the log that their step has not saved again after a crash. */
  private readonly unclaimed: Set<Saved>;
  /** Settles when the latest save has been hashed. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    recorded: readonly SavedEvent[],
    private readonly events: Pick<EventSink, 'append'>,
    private readonly user: Artifacts | undefined,
    private readonly maxBytes: number,
    private readonly runId: RunId,
    private readonly hash: Pick<HashPort, 'later'> = { later: async (bytes) => sha256(bytes) },
  ) {
    for (const { seq: _seq, at: _at, kind: _kind, ...rest } of recorded) this.saved.push(rest);
    this.unclaimed = new Set(this.saved);
  }

  accessFor(rights: ArtifactRights, path: InstancePath, step: StepKey): ArtifactAccess {
    return {
      save: (name, content) => this.save(rights, path, step, name, content),
      load: (name, version) => this.load(rights.space, name, version),
      list: () => this.list(rights.space),
    };
  }

  /**
   * Returns a text that changes whenever something is saved in a space. Rejects when the store of `user:` names cannot be
   * reached.
   */
  async stateOf(space: ArtifactSpace): Promise<string> {
    const entries = await this.list(space);
    return entries.map(({ name, version }) => JSON.stringify([name, version])).join('\n');
  }

  /** Returns the latest versions that an instance and its descendants saved in a space, by name. */
  savedBelow(path: InstancePath, space: ArtifactSpace): Readonly<Record<string, number>> {
    const versions: [string, number][] = [];
    for (const saved of this.saved) {
      if (saved.path !== path && !saved.path.startsWith(`${path}/`)) continue;
      if (saved.space === space) versions.push([saved.name, saved.version]);
      else if (saved.space === 'user' && space === 'run') versions.push([userPrefix + saved.name, saved.version]);
    }
    return Object.fromEntries(versions);
  }

  private async save(
    rights: ArtifactRights,
    path: InstancePath,
    step: StepKey,
    name: string,
    { mimeType, encoding, content }: Artifact,
  ): Promise<Result<ArtifactEntry, ArtifactFault>> {
    const problem = artifactNameProblem(name);
    if (problem) return err({ code: 'INPUT_VALIDATION', message: problem });
    const prefixes = rights.prefixes.find((list) => !list.some((prefix) => name.startsWith(prefix)));
    if (prefixes) {
      const allowed = prefixes.length > 0 ? `only names that begin with ${prefixes.join(', ')}` : 'none at all';
      const message = `The artifact '${name}' may not be saved here: ${allowed}.`;
      return err({ code: 'ARTIFACT_WRITE_DENIED', message });
    }
    const bytes = encoding === 'text' ? encoder.encode(content) : decoded(content);
    if (!bytes) return err({ code: 'INPUT_VALIDATION', message: `The content of '${name}' is not base64.` });
    if (bytes.length > this.maxBytes) {
      const message = `The artifact '${name}' has ${bytes.length} bytes; at most ${this.maxBytes} are kept.`;
      const whole = `${message} Raise 'limits.max_artifact_bytes'.`;
      this.events.append({ kind: 'log', level: 'warning', code: 'artifact_too_large', message: whole, path, step });
      return err({ code: 'ARTIFACT_WRITE_DENIED', message: `${message} Save less, or in parts.` });
    }
    const place = placeOf(rights.space, name);
    const hash = await this.inTurn(this.hash.later(bytes));
    // A step that runs again after a crash has saved this version already.
    for (const earlier of this.unclaimed) {
      if (earlier.step !== step || earlier.hash !== hash) continue;
      if (earlier.space !== place.space || earlier.name !== place.name) continue;
      this.unclaimed.delete(earlier);
      return ok(entryOf(earlier, name));
    }
    const artifact = { mimeType, encoding, content };
    const version =
      place.space === 'user' && this.user
        ? await this.user.save(place.name, artifact, `${this.runId} ${step} ${hash}`)
        : this.lastVersion(place.space, place.name) + 1;
    const saved: Saved = { path, step, ...place, version, ...artifact, bytes: bytes.length, hash };
    this.saved.push(saved);
    this.events.append({ kind: 'artifact.saved', ...saved });
    return ok(entryOf(saved, name));
  }

  /** Saves in the order of the requests, so that versions do not depend on the time of hashing. */
  private async inTurn(hashing: Promise<string>): Promise<string> {
    const before = this.turn;
    this.turn = Promise.allSettled([before, hashing]);
    await before;
    return await hashing;
  }

  private async load(
    space: ArtifactSpace,
    name: string,
    version: number | undefined,
  ): Promise<(Artifact & ArtifactEntry) | undefined> {
    const place = placeOf(space, name);
    if (place.space === 'user' && this.user) {
      const found = await this.user.load(place.name, version);
      return found && { ...found, name };
    }
    const wanted = version ?? this.lastVersion(place.space, place.name);
    const saved = this.saved.find((one) => isAt(one, place.space, place.name) && one.version === wanted);
    return saved && { ...entryOf(saved, name), encoding: saved.encoding, content: saved.content };
  }

  private async list(space: ArtifactSpace): Promise<readonly ArtifactEntry[]> {
    const latest = new Map<string, ArtifactEntry>();
    for (const saved of this.saved) {
      if (saved.space === space) latest.set(saved.name, entryOf(saved, saved.name));
      else if (space === 'run' && saved.space === 'user' && !this.user) {
        latest.set(userPrefix + saved.name, entryOf(saved, userPrefix + saved.name));
      }
    }
    if (space === 'run' && this.user) {
      for (const entry of await this.user.list()) {
        latest.set(userPrefix + entry.name, { ...entry, name: userPrefix + entry.name });
      }
    }
    return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private lastVersion(space: ArtifactSpace, name: string): number {
    return this.saved.reduce((last, one) => (isAt(one, space, name) ? Math.max(last, one.version) : last), 0);
  }
}

/** Says why a name is not valid; returns `undefined` if it is. `/` separates parts, and `..` is not allowed. */
export function artifactNameProblem(name: string): string | undefined {
  const bare = name.startsWith(userPrefix) ? name.slice(userPrefix.length) : name;
  const isBad =
    bare.trim() === '' ||
    bare.startsWith('/') ||
    bare.includes('\\') ||
    bare.includes('\0') ||
    bare.includes('..') ||
    encoder.encode(name).length > 512;
  if (!isBad) return undefined;
  return `The artifact name '${name.slice(0, 60)}' is not allowed: no '..', leading '/', '\\' or NUL, and at most 512 bytes.`;
}

/** Returns the rights of a child: its parent's, or a space of its own. No child gets more than its parent has. */
export function childArtifacts(
  parent: ArtifactRights,
  path: InstancePath,
  options: { readonly forward?: boolean | undefined; readonly write_prefixes?: readonly string[] | undefined } = {},
): ArtifactRights {
  const own = options.write_prefixes ? [options.write_prefixes] : [];
  if (options.forward === false) return { space: `instance:${path}`, prefixes: own };
  return { space: parent.space, prefixes: [...parent.prefixes, ...own] };
}

/** A child with its own space keeps `user:` names there too. */
function placeOf(space: ArtifactSpace, name: string): { readonly space: ArtifactSpace; readonly name: string } {
  return space === 'run' && name.startsWith(userPrefix)
    ? { space: 'user', name: name.slice(userPrefix.length) }
    : { space, name };
}

function isAt(saved: Saved, space: ArtifactSpace, name: string): boolean {
  return saved.space === space && saved.name === name;
}

function entryOf({ version, mimeType, bytes }: Saved, name: string): ArtifactEntry {
  return { name, version, mimeType, bytes };
}

function decoded(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
