import { definePlugin, InterceptStage, invalidParameter, PlatenError } from '@platen/kernel';
import { createSigner } from './create-signer.js';
import { keyStoreOf } from './key-store.js';
import { FLAGS, PARAMS } from './params.js';
import { parseSetting } from './parse-setting.js';
import { signRequest } from './sign-request.js';
import { WrongSetting } from './wrong-setting.js';

const NAME = 'web-bot-auth';

/** Signs every request of a page and its subresources, so that sites can identify the bot. */
export default definePlugin({
  name: NAME,
  params: PARAMS,
  flags: FLAGS,
  planFor: { param: 'web_bot_auth' },
  plan({ params: { web_bot_auth: text = '' } }) {
    try {
      parseSetting(text);
    } catch (error) {
      throw faultOfRequest(error);
    }
  },
  async prepare({ options: { 'web-bot-auth': flag }, outbound }) {
    const key = flag === undefined ? undefined : parseSetting(flag).key;
    if (key instanceof URL) await keyStoreOf(outbound).load(key).catch(throwAs(faultOfFlag));
  },
  apply({ hooks, options: { 'web-bot-auth': flag }, outbound }) {
    const setByServer = flag === undefined ? undefined : parseFlag(flag);
    const keys = keyStoreOf(outbound);
    const scope = setByServer === undefined ? { param: 'web_bot_auth' } : undefined;
    hooks.beforeNavigate.tapPromise({ name: NAME, for: scope }, async ({ params: { web_bot_auth: text }, intercept }) => {
      const setting = text === undefined ? setByServer : parseSetting(text);
      if (setting === undefined) return;
      const { agent, key } = setting;
      const toError = text === undefined ? faultOfServer : faultOfRequest;
      const signer = createSigner(agent, key instanceof URL ? await keys.load(key).catch(throwAs(toError)) : key);
      intercept.use({ name: NAME, stage: InterceptStage.sign, request: (request) => signRequest(request, signer) });
    });
  },
});

function parseFlag(text: string) {
  try {
    return parseSetting(text);
  } catch (error) {
    throw faultOfFlag(error);
  }
}

function faultOfFlag(error: unknown): unknown {
  return error instanceof WrongSetting ? new PlatenError('boot_invalid_flag', `--web-bot-auth ${error.message}`, { cause: error }) : error;
}

function faultOfRequest(error: unknown): unknown {
  return error instanceof WrongSetting ? invalidParameter('web_bot_auth', `"web_bot_auth" ${error.message}`) : error;
}

/** The client cannot fix a wrong server setting, so the details are logged. */
function faultOfServer(error: unknown): unknown {
  return error instanceof WrongSetting ? new PlatenError('plugin_failed', `--web-bot-auth ${error.message}`, { cause: error }) : error;
}

function throwAs(toError: (error: unknown) => unknown): (error: unknown) => never {
  return (error) => {
    throw toError(error);
  };
}
