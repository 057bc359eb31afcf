import { once } from 'node:events';
import process from 'node:process';
import type { CommandDeclaration } from '@platen/kernel';
import type {} from '@platen/server';

/** `platen mcp`: for clients that start the server themselves. */
export const STDIO_COMMAND: CommandDeclaration = {
  name: 'mcp',
  usage: '[FLAGS]',
  description: 'Serve the Model Context Protocol over stdin and stdout.',
  help: `Serves the Model Context Protocol over standard input and output, for clients that start it themselves. It renders as a server with
the same flags, environment and config file does, and listens nowhere. Logs are on standard error. It ends when its input ends, or by a
signal.

Examples
  platen mcp
  platen mcp --llm-format-model @model.txt`,
  async run(args, io) {
    const [{ StdioServerTransport, serveStdio }, { createProtocol }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./protocol.js'),
    ]);
    // Before the server starts: a client may leave meanwhile.
    const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
    await using opened = await io.openServer(args);
    const { server, signal } = opened;
    const open = createProtocol(server);
    const { plain, large: maxBufferSize = plain } = server.bodyLimits();
    const connection = serveStdio(() => open({ isHttp: false, reserve: () => true }), {
      transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize }),
      onerror(error) {
        // The validator describes every form of a message that it has tried.
        const text = error.name.endsWith('ZodError') ? 'a line of the input is no JSON-RPC message, and is ignored' : error.message;
        io.stderr.write(`platen: ${text}\n`);
      },
    });
    await Promise.race([ended, signal.aborted ? undefined : once(signal, 'abort')]);
    await connection.close();
    return 0;
  },
};
