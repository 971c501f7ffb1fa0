import { createServer } from 'node:http';
import { build } from 'esbuild';

export interface FloorSize {
  readonly nodes: number;
  readonly edges: number;
}

/** The reference page is plain React Flow with as many nodes and edges, and a field that sets the first node's label. */
const sourceOf = ({ nodes, edges }: FloorSize) => `
import { Background, Controls, MiniMap, ReactFlow, useNodesState } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { createRoot } from 'react-dom/client';
const nodes = Array.from({ length: ${nodes} }, (_, i) => ({
  id: String(i), data: { label: 'agent-' + i }, position: { x: (i % 10) * 280, y: Math.floor(i / 10) * 100 },
}));
const edges = Array.from({ length: ${edges} }, (_, i) => ({
  id: 'e' + i, source: String(i % ${nodes}), target: String((i * 7 + 3) % ${nodes}),
}));
function App() {
  const [shown, setShown, onNodesChange] = useNodesState(nodes);
  const rename = (event) => {
    const label = event.target.value;
    setShown((all) => all.map((node) => (node.id === '0' ? { ...node, data: { label } } : node)));
  };
  return (
    <div style={{ position: 'fixed', inset: 0 }}>
      <input aria-label="Name" onChange={rename} style={{ position: 'absolute', zIndex: 9, right: 0 }} />
      <ReactFlow onlyRenderVisibleElements minZoom={0.02} nodes={shown} edges={edges} onNodesChange={onNodesChange} defaultViewport={{ x: 60, y: 60, zoom: 0.8 }}>
        <Background /><Controls /><MiniMap />
      </ReactFlow>
    </div>
  );
}
createRoot(document.getElementById('root')).render(<App />);
`;

/** Serves the reference page on loopback until `stop`. */
export async function startFloorPage(size: FloorSize): Promise<{ readonly url: string; stop(): void }> {
  const built = await build({
    stdin: { contents: sourceOf(size), loader: 'jsx', resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    jsx: 'automatic',
    outdir: 'floor',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (ending: string) => built.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  const page = `<!doctype html><style>${text('.css')}</style><div id="root"></div><script src="/page.js"></script>`;
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? text('.js') : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
