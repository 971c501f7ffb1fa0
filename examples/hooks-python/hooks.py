from mcp.types import CallToolResult, TextContent


def text_content(text):
    return TextContent(type="text", text=text)


async def audit_hook(ctx, args, call_next):
    # before: keep the number small
    if ctx.tool_name.endswith("add_one"):
        args = dict(args or {})
        args["x"] = min(int(args.get("x", 0)), 10)

    # instead: some tools never run
    if ctx.tool_source == "runtime" and ctx.tool_name == "shell.execute":
        return CallToolResult(isError=True, content=[text_content("blocked")])

    result = await call_next(args)

    # after: sign what comes back
    result.content.append(text_content("[audit]"))
    return result
