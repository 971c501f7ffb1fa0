/** An instance of a run whose surface the editor shows when it opens. */
export interface LinkedInstance {
  readonly run: string;
  readonly instance: string;
}

/** Returns the address of the editor that shows what the model of an instance saw. */
export function surfaceLink(project: string, agent: string, { run, instance }: LinkedInstance): string {
  return `/p/${project}?${new URLSearchParams({ surface: run, agent, instance })}`;
}

/** Returns the instance that the query of an address names, if it is one of this agent. */
export function linkedInstance(search: string, agent: string): LinkedInstance | undefined {
  const query = new URLSearchParams(search);
  const [run, instance] = [query.get('surface'), query.get('instance')];
  return run && instance && query.get('agent') === agent ? { run, instance } : undefined;
}

/** Returns the agent whose surface the query of an address asks for. */
export function linkedAgent(search: string): string | undefined {
  const query = new URLSearchParams(search);
  return query.get('surface') && query.get('instance') ? (query.get('agent') ?? undefined) : undefined;
}
