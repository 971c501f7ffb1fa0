import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';

const models = createOpenAICompatible({ name: 'fake', baseURL: process.env.MODEL_URL, apiKey: 'none' });
const weather = createTool({
  id: 'get_weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}`,
});
const agent = new Agent({
  id: 'weather-agent',
  name: 'weather-agent',
  instructions: 'Answer.',
  model: models('fake-model'),
  tools: { get_weather: weather },
});
const exporter = new OtelExporter({
  provider: { custom: { endpoint: process.env.TRACES_URL, protocol: 'http/protobuf' } },
});
const observability = new Observability({ configs: { otel: { serviceName: 'mastra-app', exporters: [exporter] } } });
const mastra = new Mastra({ agents: { weather: agent }, observability, logger: false });
await mastra.getAgent('weather').generate('What is the weather in Paris?');
await mastra.shutdown();
