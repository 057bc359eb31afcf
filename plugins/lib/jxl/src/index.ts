export { createJxlEncoder, type JxlEncoder, type JxlEncoderOptions, type JxlImage } from './create-jxl-encoder.js';
export { JXL_ENCODERS } from './jxl-encoders.js';
