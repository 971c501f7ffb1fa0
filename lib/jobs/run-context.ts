import type { Logger } from 'pino';
import type { Clock } from '@/lib/base/clock';
import type { RunId, TaskId, TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { ProjectEnv } from '@/lib/base/project-env';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ConfigWithSecrets } from '@/lib/cards/read/secrets';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import type { UrlPort } from '@/lib/runtime/ports';
import type { KnownValues } from '@/lib/runtime/record/known-values';
import type { HiddenValues } from '@/lib/runtime/record/redact-events';
import type { PythonSetting } from '@/lib/sandbox/python/python-setting';
import type { Store } from '@/lib/store/database';
import type { Notifications } from '@/lib/store/notifications';
import type { OpeningKey } from '@/lib/store/sealing';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import type { McpPool } from '@/lib/tools/mcp/pool';
import type { SignIns } from '@/lib/tools/mcp/sign-ins';
import type { LastChances } from './last-chances';
import type { LiveTextSender } from './live-text-sender';
import type { ProjectBudgets } from './project-budgets';
import type { ReadTree } from './remember-trees';
import type { SignInBook } from './sign-in-book';
import type { SpanExporter } from './span-exporter';
import type { WorkFolders } from './work-folders';

/** Everything a worker shares between its runs. */
export interface RunContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Gets every secret that the worker opens, because its log must not show them. */
  readonly seen?: KnownValues | undefined;
  /** The name of this worker. */
  readonly worker: string;
  readonly modelEnv: ModelEnv;
  /** Checks the addresses of models that folders name. */
  readonly guard: AddressGuard;
  /** The listed variables that cards may use in their texts. Those of `modelEnv` are for servers, remote agents and providers. */
  readonly projectEnv: ProjectEnv;
  /** True if people have accounts. Then processes start only if an administrator approved them. */
  readonly accounts: boolean;
  /** The keys that open secrets, the newest first. */
  readonly keys: readonly OpeningKey[];
  /** The sign-ins of people at MCP servers. */
  readonly signIns: SignInBook;
  /** Those of the project of a run or a task. */
  readonly projectSignIns?: SignIns | undefined;
  /** Values of the worker's settings that are redacted in every event. */
  readonly hidden: HiddenValues;
  readonly mcp: McpPool;
  readonly urls: UrlPort;
  readonly python: PythonSetting;
  /** The environment of shell commands. `undefined` when agents may not run commands. */
  readonly shellEnv: Readonly<Record<string, string | undefined>> | undefined;
  readonly folders: WorkFolders;
  readonly lastChances: LastChances;
  /** Passes on what models say while they say it. */
  readonly liveTexts: LiveTextSender;
  /** Sends spans of runs to a collector. */
  readonly spans: SpanExporter;
  /** Tells when projects may use nothing more this month. */
  readonly budgets: ProjectBudgets;
  /** Tells that questions of a run have ended (lib/store/pending-messages.ts). */
  readonly news: Pick<Notifications, 'subscribe'>;
  readonly readTree: ReadTree;
  readonly readForRun: ReadForRun;
  /** The runs that this worker executes now. */
  readonly active: Map<RunId, ActiveRun>;
  /** The tasks of editors that this worker does now. */
  readonly tasks: Map<TaskId, ActiveTask>;
}

/**
 * Reads the cards, the settings and the config of a tree with its secrets, and lists what a run would start or call. The
 * work is done in another thread and in limited time. The Issue names the limit that was reached. May throw AppError
 * `unavailable`.
 */
export type ReadForRun = (treeHash: TreeHash, folder: Folder) => Promise<Result<RunReading, Issue>>;

export type RunReading = ConfigWithSecrets & {
  readonly parsed: ParsedFolder;
  readonly capabilities: CapabilityList;
};

export interface ActiveTask {
  /** Aborting it stops the task: a user asked for it, or the worker stops. */
  readonly stop: AbortController;
}

export interface ActiveRun {
  /** Aborting it stops the run. */
  readonly stop: AbortController;
  /** Writes the pending events and gives the run to another worker. Later events are dropped. */
  handBack(): Promise<void>;
}
