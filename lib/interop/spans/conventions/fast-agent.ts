import type { Convention } from './convention';

const agentName =
  /^(?:Agent|Chain|Parallel|Routing|Router|EvaluatorOptimizer|Maker|Orchestrator|IterativePlanner|A2A): '(.+)' (\w+)$/;
const toolName = /^MCP Tool: (.+)$/;

/** fast-agent. The names of its own spans say what they are; they have no attributes that would. */
export const fastAgent: Convention = {
  source: {
    key: 'fast-agent',
    isFrom: ({ resource, name }) => resource['service.name'] === 'fast-agent' || /^(?:Agent|MCP Tool): /.test(name),
  },
  kind: ({ name }) => (agentName.test(name) ? 'agent' : toolName.test(name) ? 'tool' : undefined),
  names: {
    agentName: ['agent_name'],
    toolName: ['tool_name'],
    serverName: ['server_name'],
    arguments: ['tool_arguments'],
    result: ['tool_response'],
  },
  read: ({ span: { name }, kind }) => {
    if (kind === 'agent' && agentName.test(name)) return { name: agentName.exec(name)?.[1]?.replace(/\[\d+\]$/, '') };
    if (kind === 'tool' && toolName.test(name)) return { name: toolName.exec(name)?.[1], source: 'mcp' };
    return undefined;
  },
};

/** The span around a run of fast-agent has the name of the app and no attributes. */
export const fastAgentRun: Convention = {
  kind: ({ resource }) => (resource['service.name'] === 'fast-agent' ? 'step' : undefined),
};
