import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { packerModel, plannerModel, question, weatherOf } from './scene.mjs';
import { telemetry } from './telemetry.mjs';

const provider = telemetry('langgraph-app');
const instrumentation = new LangChainInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(callbacks);
const modelOf = (model) =>
  new ChatOpenAI({ model, apiKey: 'none', maxRetries: 0, configuration: { baseURL: process.env.MODEL_URL } });
const weather = tool(weatherOf, {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
});
const packer = createReactAgent({ llm: modelOf(packerModel), tools: [], name: 'packer' });
const askPacker = tool(
  async ({ input }, config) => {
    const { messages } = await packer.invoke({ messages: [{ role: 'user', content: input }] }, config);
    return messages.at(-1).content;
  },
  { name: 'ask_packer', description: 'Asks the packing expert', schema: z.object({ input: z.string() }) },
);
const planner = createReactAgent({ llm: modelOf(plannerModel), tools: [weather, askPacker], name: 'planner' });
await planner
  .invoke({ messages: [{ role: 'user', content: question }] })
  .catch((error) => console.log(`  it failed: ${error.message}`));
await provider.shutdown();
