import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { packerModel, plannerModel, question, weatherOf } from './scene.mjs';
import { telemetry } from './telemetry.mjs';

const provider = telemetry('openai-agents-app');
const instrumentation = new OpenAIAgentsInstrumentation();
instrumentation.setTracerProvider?.(provider);
(instrumentation.manuallyInstrument ?? instrumentation.instrument)?.call(instrumentation, agents);
agents.setDefaultOpenAIClient(new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'none', maxRetries: 0 }));
agents.setOpenAIAPI('chat_completions');
const weather = agents.tool({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: weatherOf,
});
const packer = new agents.Agent({ name: 'packer', instructions: 'Say what to pack.', model: packerModel });
const planner = new agents.Agent({
  name: 'planner',
  instructions: 'Answer.',
  model: plannerModel,
  tools: [weather, packer.asTool({ toolName: 'ask_packer', toolDescription: 'Asks the packing expert' })],
});
await agents.run(planner, question).catch((error) => console.log(`  it failed: ${error.message}`));
await new Promise((resolve) => setTimeout(resolve, 300));
await provider.shutdown();
