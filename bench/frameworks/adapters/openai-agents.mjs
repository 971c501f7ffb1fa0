import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { telemetry } from './telemetry.mjs';

const provider = telemetry('openai-agents-app');
const instrumentation = new OpenAIAgentsInstrumentation();
instrumentation.setTracerProvider?.(provider);
(instrumentation.manuallyInstrument ?? instrumentation.instrument)?.call(instrumentation, agents);
agents.setDefaultOpenAIClient(new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'none' }));
agents.setOpenAIAPI('chat_completions');
const weather = agents.tool({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}`,
});
const agent = new agents.Agent({
  name: 'weather-agent',
  instructions: 'Answer.',
  model: 'fake-model',
  tools: [weather],
});
await agents.run(agent, 'What is the weather in Paris?');
await new Promise((resolve) => setTimeout(resolve, 300));
await provider.shutdown();
