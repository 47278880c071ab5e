import { keepsByteCaps } from "./keeps-byte-caps.ts";

keepsByteCaps("campaign");
