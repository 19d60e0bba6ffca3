"""What an expression costs at most before it runs: cel-go's estimate with the figures of the API server."""
