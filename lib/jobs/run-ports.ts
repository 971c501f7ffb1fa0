import { randomUUID } from 'node:crypto';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { withoutFixtures } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { consentBy } from '@/lib/cards/mcp-settings';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import { canonicalModel } from '@/lib/cards/models/name-model';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ConfigWithSecrets } from '@/lib/cards/read/secrets';
import { createModels } from '@/lib/models/create-models';
import type { Artifacts, Ports, SessionPort, UrlPort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import { type HiddenValues, redactEvents } from '@/lib/runtime/record/redact-events';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import type { PythonSetting } from '@/lib/sandbox/python/python-setting';
import { hashBlob, hashBlobLater } from '@/lib/store/hash';
import { createRemoteAgents } from '@/lib/tools/a2a/remote-agents';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import type { McpPool, McpPort } from '@/lib/tools/mcp/pool';
import type { SignIns } from '@/lib/tools/mcp/sign-ins';
import { createShell } from '@/lib/tools/shell/shell';
import { costOf } from '@/lib/trace/cost';
import { createPauses } from './pauses';

/** All runs of a process share its thread. */
const pause = createPauses(() => performance.now());

/** What all runs of a worker, or of a command, have in common. */
export interface RunSurroundings {
  readonly clock: Clock;
  readonly modelEnv: ModelEnv;
  /** Checks the addresses of models and remote agents that folders name. */
  readonly guard: AddressGuard;
  readonly mcp: McpPool;
  readonly urls: UrlPort;
  readonly python: PythonSetting;
  /** The environment that shell commands may see. `undefined` when agents may not run commands. */
  readonly shellEnv: Readonly<Record<string, string | undefined>> | undefined;
  /** Values of the settings that are redacted in every event. */
  readonly hidden: HiddenValues;
  /** The sign-ins of people at MCP servers that the project of the run may use; none on the command line. */
  readonly projectSignIns?: SignIns | undefined;
}

/** One run: its folder, and where it keeps what it writes. */
export interface RunPlace extends Pick<ConfigWithSecrets, 'config' | 'secrets'> {
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  /** The folder on disk, in which servers and the shell start. */
  readonly root: string;
  readonly events: EventSink;
  readonly sessions: SessionPort;
  /** Without this, `user:` artifacts live as long as the run. */
  readonly artifacts?: Artifacts;
}

export interface RunPorts {
  readonly ports: Ports;
  /** The run goes on in another process: stopping it here does not cancel tasks of remote agents. */
  leave(): void;
  /** Cancels the tasks of MCP servers that calls have kept, after the end of a run that did not wait for them. */
  abandon: McpPort['abandon'];
  /** Ends the servers, sandboxes and commands of the run. */
  close(): Promise<void>;
}

/** Composes the ports of a run, for workers and for the command line. Nothing starts before the run needs it. */
export function openRunPorts(surroundings: RunSurroundings, place: RunPlace): RunPorts {
  const { clock, hidden, python, shellEnv } = surroundings;
  const { folder, parsed, root, config, secrets } = place;
  const { modelEnv, projectSignIns: signIns } = surroundings;
  const consentOf = consentBy(parsed.settings.mcp);
  const { projectEnv, bound } = modelEnv;
  const mcp = surroundings.mcp.port({ config, root, secrets, consentOf, projectEnv, bound, signIns });
  const code = createCodeHosts({ folder: withoutFixtures(folder), python });
  const shell = shellEnv && createShell({ folder: root, env: shellEnv });
  const remote = createRemoteAgents({
    clock,
    guard: surroundings.guard,
    projectEnv,
    secrets,
    bound,
    maxChars: parsed.settings.limits.max_answer_bytes,
  });
  return {
    ports: {
      model: createModels({
        env: modelEnv,
        providers: config.providers,
        settings: parsed.settings,
        clock,
        guard: surroundings.guard,
      }),
      tools: { mcp, function: code.tools },
      hooks: code.hooks,
      shell,
      remote,
      costOf: (usage, model) => costOf(usage, canonicalModel(model)),
      urls: surroundings.urls,
      sessions: place.sessions,
      ...(place.artifacts && { artifacts: place.artifacts }),
      events: redactEvents(place.events, { ...hidden, inLogs: [...hidden.inLogs, ...secrets] }),
      clock,
      pause,
      hash: { now: hashBlob, later: hashBlobLater },
      newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
    },
    leave: () => remote.leave(),
    abandon: (kept, cards) => mcp.abandon(kept, cards),
    async close() {
      await Promise.all([mcp.close(), code.close(), shell?.close(), remote.close()]);
    },
  };
}
