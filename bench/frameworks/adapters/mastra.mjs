import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';
import { packerModel, plannerModel, question, weatherOf } from './scene.mjs';

const models = createOpenAICompatible({ name: 'fake', baseURL: process.env.MODEL_URL, apiKey: 'none' });
const weather = createTool({
  id: 'get_weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: weatherOf,
});
const packer = new Agent({
  id: 'packer',
  name: 'packer',
  description: 'The packing expert',
  instructions: 'Say what to pack.',
  model: models(packerModel),
  maxRetries: 0,
});
const planner = new Agent({
  id: 'planner',
  name: 'planner',
  instructions: 'Answer.',
  model: models(plannerModel),
  tools: { get_weather: weather },
  agents: { packer },
  maxRetries: 0,
});
const exporter = new OtelExporter({
  provider: { custom: { endpoint: process.env.TRACES_URL, protocol: 'http/protobuf' } },
});
const observability = new Observability({ configs: { otel: { serviceName: 'mastra-app', exporters: [exporter] } } });
const mastra = new Mastra({ agents: { planner, packer }, observability, logger: false });
await mastra
  .getAgent('planner')
  .generate(question)
  .catch((error) => console.log(`  it failed: ${error.message}`));
await mastra.shutdown();
