import type { HookPort, Ports, ToolCallContext, ToolPort } from '@/lib/runtime/ports';
import { type Scope, scopeOf } from '@/lib/runtime/scope';

/**
 * Wraps the ports of a run so that every call under way is counted in the scope whose signal it got, or in that of the run. A hook
 * that waits for the call that it wraps does not count, nor does a tool whose server waits for a person. Once the run has left, no call is made any more and none ends.
 */
export function countPorts(ports: Ports, run: Scope, hasLeft: () => boolean): Ports {
  const { model, tools, hooks, artifacts, sessions, urls, remote, hash, clock } = ports;
  const count: Count = async (signal, call) => {
    if (hasLeft()) return await never();
    const done = (scopeOf(signal) ?? run).work();
    try {
      return await call();
    } finally {
      done();
    }
  };
  return {
    ...ports,
    model: {
      complete: (request, control) => count(control.signal, () => model.complete(request, control)),
      ...(model.describe && { describe: model.describe.bind(model) }),
      ...(model.problemOf && { problemOf: model.problemOf.bind(model) }),
    },
    tools: {
      ...(tools.mcp && { mcp: countTools(tools.mcp, count, run, hasLeft) }),
      ...(tools.function && { function: countTools(tools.function, count, run, hasLeft) }),
      ...(tools.runtime && { runtime: countTools(tools.runtime, count, run, hasLeft) }),
    },
    ...(hooks && { hooks: countHooks(hooks, count, run, hasLeft) }),
    ...(artifacts && {
      artifacts: {
        save: (name, artifact, key) => count(undefined, () => artifacts.save(name, artifact, key)),
        load: (name, version) => count(undefined, () => artifacts.load(name, version)),
        list: () => count(undefined, () => artifacts.list()),
      },
    }),
    ...(sessions && {
      sessions: {
        read: (key) => count(undefined, () => sessions.read(key)),
        save: (key, session, writer) => count(undefined, () => sessions.save(key, session, writer)),
      },
    }),
    ...(urls && { urls: { read: (url, control) => count(control.signal, () => urls.read(url, control)) } }),
    ...(remote && {
      remote: {
        send: (card, message, context) => count(context.signal, () => remote.send(card, message, context)),
      },
    }),
    ...(hash && {
      hash: { now: hash.now.bind(hash), later: (bytes) => count(undefined, () => hash.later(bytes)) },
    }),
    clock: { now: () => clock.now(), sleep: (ms, signal) => count(signal, () => clock.sleep(ms, signal)) },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

type Count = <T>(signal: AbortSignal | undefined, call: () => Promise<T>) => Promise<T>;

function countTools(port: ToolPort, count: Count, run: Scope, hasLeft: () => boolean): ToolPort {
  return {
    list: (card, signal, onStart) => count(signal, () => port.list(card, signal, onStart)),
    async call(tool, args, context) {
      if (hasLeft()) return await never();
      const work = new PausedWork(scopeOf(context.signal) ?? run);
      try {
        return await port.call(tool, args, withoutWaits(context, work));
      } finally {
        work.end();
      }
    },
    ...(port.instructions && {
      instructions: (card, signal) => count(signal, async () => (await port.instructions?.(card, signal)) ?? []),
    }),
    version: (card) => port.version(card),
  };
}

function withoutWaits(context: ToolCallContext, work: PausedWork): ToolCallContext {
  return context.ask ? { ...context, ask: work.watch(context.ask) } : context;
}

function countHooks(port: HookPort, count: Count, run: Scope, hasLeft: () => boolean): HookPort {
  return {
    load: (card, signal) => count(signal, () => port.load(card, signal)),
    phase: (hook, phase, context, control) => count(control.signal, () => port.phase(hook, phase, context, control)),
    async around(hook, context, args, next, control) {
      if (hasLeft()) return await never();
      const work = new PausedWork(scopeOf(control.signal) ?? run);
      try {
        return await port.around(hook, context, args, work.watch(next), control);
      } finally {
        work.end();
      }
    },
  };
}

/** Counts one execution of a hook or a tool, without the time in which it waits for what it wraps, or for a person. */
class PausedWork {
  private readonly scope: Scope;
  private below = 0;
  private isOver = false;
  private done: (() => void) | undefined;

  constructor(scope: Scope) {
    this.scope = scope;
    this.update();
  }

  watch<A extends readonly unknown[], T>(wait: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return async (...args) => {
      this.below += 1;
      this.update();
      try {
        return await wait(...args);
      } finally {
        this.below -= 1;
        this.update();
      }
    };
  }

  end(): void {
    this.isOver = true;
    this.update();
  }

  private update(): void {
    const isWorking = !this.isOver && this.below === 0;
    if (isWorking === (this.done !== undefined)) return;
    if (isWorking) this.done = this.scope.work();
    else {
      this.done?.();
      this.done = undefined;
    }
  }
}
