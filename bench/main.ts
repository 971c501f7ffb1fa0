/** The benchmarks beside the engine's own, by name. Each is loaded when it is chosen: some of them build and start the app. */
const parts: Readonly<Record<string, (names: string[]) => Promise<void>>> = {
  editor: async () => (await import('./editor')).benchEditor(),
  'runs-list': async () => (await import('./runs-list')).benchRunsList(),
  dashboard: async () => (await import('./dashboard')).benchDashboard(),
  app: async (names) => (await import('./app')).benchApp(names),
  people: async (names) => (await import('./people')).benchPeople(names),
  timeline: async (names) => (await import('./timeline')).benchTimeline(names),
};

const [name = '', ...names] = process.argv.slice(2);
const part = parts[name];
if (part) {
  console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
  await part(names);
} else {
  console.error(`There is no benchmark '${name}'. There are: ${Object.keys(parts).join(', ')}.`);
  process.exitCode = 2;
}

export {};
