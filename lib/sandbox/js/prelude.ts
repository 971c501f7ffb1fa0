/**
 * Runs in a new QuickJS context before the project's code. It keeps its own references to built-ins, so code that replaces
 * built-ins does not affect it. `host` is the only way out of the context: `log(level, text)`, `next(json, bare)`,
 * `done(json)`, `failed(json)`, `setTimer(id, ms)`. The script returns the way in: `start(loading, json)`, `answer(json)`
 * for a `next`, and `fire(id)` for a timer.
 */
export const prelude = `(function (host) {
  'use strict';
  const { stringify, parse } = JSON;
  const { hasOwn } = Object;
  const ProxyType = Proxy;
  const PromiseType = Promise;
  const join = Function.prototype.call.bind(Array.prototype.join);
  const ErrorType = Error;
  const TypeErrorType = TypeError;
  const text = String;

  function shown(value) {
    if (typeof value === 'string') return value;
    if (value instanceof ErrorType) return text(value.stack ? value.name + ': ' + value.message + '\\n' + value.stack : value);
    if (typeof value === 'object' && value !== null) {
      try { return stringify(value) ?? text(value); } catch { return text(value); }
    }
    return typeof value === 'symbol' ? value.toString() : text(value);
  }
  const print = (level) => (...values) => {
    const parts = [];
    for (let i = 0; i < values.length; i++) parts[i] = shown(values[i]);
    host.log(level, join(parts, ' '));
  };
  globalThis.console = {
    log: print('info'), info: print('info'), warn: print('warning'), error: print('error'), debug: print('debug'), trace: print('debug'),
  };

  const timers = new Map();
  const setIn = Function.prototype.call.bind(Map.prototype.set);
  const getFrom = Function.prototype.call.bind(Map.prototype.get);
  const deleteFrom = Function.prototype.call.bind(Map.prototype.delete);
  let lastTimer = 0;
  globalThis.setTimeout = (callback, ms, ...values) => {
    if (typeof callback !== 'function') throw new TypeError('setTimeout needs a function.');
    const id = ++lastTimer;
    setIn(timers, id, () => callback(...values));
    host.setTimer(id, Number(ms) || 0);
    return id;
  };
  globalThis.clearTimeout = (id) => { deleteFrom(timers, id); };

  function fail(error, code) {
    const isError = error instanceof ErrorType;
    let message;
    try { message = isError ? error.name + ': ' + error.message : shown(error); } catch { message = 'An error that cannot be shown.'; }
    host.failed(stringify({ code: error === contract ? 'contract' : code, message, stack: isError ? text(error.stack ?? '') : '' }));
  }

  let contract;
  let onAnswer;
  /** Makes next and the function for the tool itself. The hook may call only one of them, and only once. */
  function nextOnce(given) {
    let called = false;
    const ask = (bare) => (...values) => {
      if (called) {
        contract = new ErrorType('It called next more than once. A hook may call it once.');
        contract.name = 'ContractError';
        throw contract;
      }
      called = true;
      // Without arguments, the tool gets the hook's own arguments, including changes to them.
      const args = values[0] === undefined ? given : values[0] === null ? {} : values[0];
      if (typeof args !== 'object') throw new TypeErrorType('next takes the arguments as an object.');
      const json = stringify(args);
      return new PromiseType((resolve) => { onAnswer = resolve; host.next(json, bare ? 'bare' : ''); });
    };
    return { next: ask(false), originalToolFunc: ask(true) };
  }

  const notOffered = { agentRegistry: 1, context: 1, config: 1, runner: 1 };
  const writable = { message: 1, messageHistory: 1, appendMessages: 1 };
  function readOnly(value, path, refused, open) {
    if (typeof value !== 'object' || value === null) return value;
    const refuse = (key) => {
      throw new TypeErrorType("'" + path + '.' + text(key) + "' is read-only. docs/code.md lists what a hook may change.");
    };
    return new ProxyType(value, {
      get(target, key) {
        if (hasOwn(refused, key)) throw new TypeErrorType("Callboard's hook context has no '" + text(key) + "'. docs/code.md lists what it has.");
        return hasOwn(open, key) ? target[key] : readOnly(target[key], path + '.' + text(key), {}, {});
      },
      set(target, key, given) {
        if (!hasOwn(open, key)) refuse(key);
        target[key] = given;
        return true;
      },
      deleteProperty(target, key) { refuse(key); },
      defineProperty(target, key) { refuse(key); },
      setPrototypeOf() { refuse('__proto__'); },
    });
  }

  function find(module, name) {
    if (hasOwn(module, name)) return module[name];
    const common = module.default;
    return typeof common === 'object' && common !== null && hasOwn(common, name) ? common[name] : undefined;
  }

  async function run(loading, request) {
    let target;
    try {
      const module = await loading;
      target = find(module, request.functionName);
    } catch (error) {
      return fail(error, 'load');
    }
    if (typeof target !== 'function') {
      const what = target === undefined ? 'is not defined at top level' : 'is not a function but ' + (target === null ? 'null' : typeof target);
      host.failed(stringify({ code: 'load', message: "'" + request.functionName + "' " + what + '.', stack: '' }));
      return;
    }
    try {
      host.done(stringify(await call(target, request)) ?? 'null');
    } catch (error) {
      fail(error, 'raised');
    }
  }

  async function call(target, request) {
    switch (request.kind) {
      case 'check':
        return null;
      case 'tool': {
        if (request.names === undefined) return await target(request.args);
        const values = [];
        for (let i = 0; i < request.names.length; i++) values[i] = request.args[request.names[i]];
        return await target(...values);
      }
      case 'around': {
        const { next, originalToolFunc } = nextOnce(request.args);
        request.context.originalToolFunc = originalToolFunc;
        const result = await target(readOnly(request.context, 'ctx', notOffered, {}), request.args, next);
        if (contract !== undefined) throw contract;
        return result ?? null;
      }
      case 'phase': {
        const context = request.context;
        const added = [];
        context.appendMessages = (...messages) => { for (let i = 0; i < messages.length; i++) added[added.length] = messages[i]; };
        const phase = context.hookType;
        let stop;
        context.stop = (says) => {
          if (phase !== 'after_llm_call' && phase !== 'after_tool_call') throw new TypeErrorType('ctx.stop is for after_llm_call and after_tool_call.');
          stop = says === undefined || says === null ? '' : text(says);
        };
        await target(readOnly(context, 'ctx', notOffered, writable));
        return { message: context.message, messageHistory: context.messageHistory, appendMessages: added, stop };
      }
    }
  }

  return {
    start(loading, json) { run(loading, parse(json)); },
    answer(json) { onAnswer(parse(json)); },
    fire(id) {
      const callback = getFrom(timers, id);
      deleteFrom(timers, id);
      if (callback !== undefined) { try { callback(); } catch (error) { fail(error, 'raised'); } }
    },
  };
})`;
